import static com.github.tomakehurst.wiremock.client.WireMock.*;

import com.github.tomakehurst.wiremock.client.VerificationException;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.common.DateTimeTruncation;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;

/** Uses a mock through WireMock's own client, and prints a line for each check. */
public class Checks {
  static final HttpClient http = HttpClient.newHttpClient();
  static String base;
  /** Stub mappings of the folder with which the mock was started. */
  static final int OF_FILES = 1;

  interface Check {
    void run() throws Exception;
  }

  static void check(String name, Check check) {
    try {
      check.run();
      System.out.println("ok " + name);
    } catch (Throwable error) {
      String text = error.toString().replaceAll("\\s+", " ");
      System.out.println("not ok " + name + ": " + text.substring(0, Math.min(600, text.length())));
    } finally {
      try {
        reset();
      } catch (Throwable error) {
        System.out.println("not ok reset: " + error);
      }
    }
  }

  static void same(Object actual, Object wanted) {
    if (!String.valueOf(actual).equals(String.valueOf(wanted))) {
      throw new AssertionError("got " + actual + ", wanted " + wanted);
    }
  }

  static int countAdded() {
    return listAllStubMappings().getMappings().size() - OF_FILES;
  }

  static void fails(Check check, String reason) throws Exception {
    try {
      check.run();
    } catch (RuntimeException | VerificationException expected) {
      same(String.valueOf(expected.getMessage()).contains(reason), true);
      return;
    }
    throw new AssertionError("it did not fail");
  }

  static HttpResponse<String> send(String method, String path, String body, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.BodyPublisher publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
    if (body != null) request.header("Content-Type", "application/json");
    if (fields.length > 0) request.headers(fields);
    return http.send(
        request.method(method, publisher).build(), HttpResponse.BodyHandlers.ofString());
  }

  static HttpResponse<String> fetch(String path, String... fields) throws Exception {
    return send("GET", path, null, fields);
  }

  static HttpResponse<String> plant(String body) throws Exception {
    return send("POST", "/plants", body);
  }

  static final String FERN = "{\"name\": \"Fern\"}";

  public static void main(String[] words) {
    URI url = URI.create(words[0]);
    base = words[0];
    configureFor(url.getHost(), url.getPort());

    check("a stub answers, and is verified", () -> {
      stubFor(get(urlEqualTo("/plants/7")).willReturn(okJson("{\"id\": 7, \"name\": \"Yew\"}")));
      same(fetch("/plants/7").body().replace(" ", ""), "{\"id\":7,\"name\":\"Yew\"}");
      verify(getRequestedFor(urlEqualTo("/plants/7")));
      verify(exactly(0), getRequestedFor(urlEqualTo("/plants/8")));
    });
    check("a failed verification is a VerificationException", () -> {
      fetch("/plants");
      fails(() -> verify(2, getRequestedFor(urlPathEqualTo("/plant")).withHeader("X-A", equalTo("b"))), "/plants");
    });
    check("stubs are listed, read, edited and removed", () -> {
      StubMapping stub = stubFor(get("/plants").withName("all").willReturn(okJson("[]")));
      same(countAdded(), 1);
      same(getSingleStubMapping(stub.getId()).getName(), "all");
      editStub(get("/plants").withId(stub.getId()).willReturn(okJson("[{\"name\": \"Ivy\"}]")));
      same(fetch("/plants").body().contains("Ivy"), true);
      removeStub(stub);
      same(countAdded(), 0);
      stubFor(get("/plants").willReturn(okJson("[]")));
      removeStub(get("/plants").willReturn(okJson("[]")));
      same(listAllStubMappings().getMeta().total, OF_FILES);
    });
    check("serve events have their requests, responses and stubs", () -> {
      StubMapping stub = stubFor(post("/plants").willReturn(jsonResponse(FERN, 201)));
      plant(FERN);
      List<ServeEvent> events = getAllServeEvents();
      same(events.size(), 1);
      ServeEvent event = events.get(0);
      same(event.getRequest().getBodyAsString(), FERN);
      same(event.getResponse().getStatus(), 201);
      same(event.getStubMapping().getId(), stub.getId());
      same(event.getWasMatched(), true);
      List<LoggedRequest> found = findAll(postRequestedFor(urlEqualTo("/plants")));
      same(found.get(0).getHeader("Content-Type"), "application/json");
      removeServeEvent(event.getId());
      same(getAllServeEvents().size(), 0);
      plant(FERN);
      same(removeServeEvents(postRequestedFor(urlEqualTo("/plants"))).size(), 1);
    });
    check("unmatched requests have near misses", () -> {
      stubFor(get("/plants/7").withHeader("X-A", equalTo("b")).willReturn(okJson(FERN)));
      fetch("/plant/7");
      List<LoggedRequest> unmatched = findUnmatchedRequests();
      same(unmatched.size(), 1);
      findNearMissesFor(unmatched.get(0)).get(0).getMatchResult().getDistance();
      same(findNearMissesForAllUnmatched().size() > 0, true);
      same(findNearMissesFor(getRequestedFor(urlEqualTo("/plants/8"))).size() > 0, true);
    });
    check("scenarios go from state to state", () -> {
      stubFor(get("/plants/7").inScenario("growth").whenScenarioStateIs(Scenario.STARTED)
          .willReturn(okJson(FERN)).willSetStateTo("grown"));
      stubFor(get("/plants/7").inScenario("growth").whenScenarioStateIs("grown")
          .willReturn(okJson("{\"name\": \"Tree\"}")));
      same(fetch("/plants/7").body().contains("Fern"), true);
      same(fetch("/plants/7").body().contains("Tree"), true);
      same(getAllScenarios().get(0).getState(), "grown");
      setScenarioState("growth", Scenario.STARTED);
      same(fetch("/plants/7").body().contains("Fern"), true);
      resetScenario("growth");
      resetAllScenarios();
    });
    check("a time is compared with now and an offset", () -> {
      stubFor(get("/plants").withHeader("X-At", before("now +3 days")).willReturn(okJson("[{\"name\": \"soon\"}]")));
      stubFor(get("/plants").withHeader("X-At", after("now +3 days")).willReturn(okJson("[{\"name\": \"late\"}]")));
      String today = java.time.Instant.now().toString();
      String later = java.time.Instant.now().plusSeconds(4 * 86_400).toString();
      same(fetch("/plants", "X-At", today).body().contains("soon"), true);
      same(fetch("/plants", "X-At", later).body().contains("late"), true);
      stubFor(get(urlPathEqualTo("/plants")).withQueryParam("on", isNow().truncateExpected(DateTimeTruncation.FIRST_HOUR_OF_DAY).truncateActual(DateTimeTruncation.FIRST_HOUR_OF_DAY))
          .willReturn(okJson("[{\"name\": \"today\"}]")));
      same(fetch("/plants?on=" + today).body().contains("today"), true);
    });
    check("a time has a format of its own", () -> {
      stubFor(get("/plants").withHeader("X-On", equalToDateTime("2026-03-09T00:00:00").actualFormat("dd/MM/yyyy"))
          .willReturn(okJson("[{\"name\": \"day\"}]")));
      same(fetch("/plants", "X-On", "09/03/2026").body().contains("day"), true);
      same(fetch("/plants", "X-On", "03/09/2026").body().contains("day"), false);
    });
    check("a body comes from a file", () -> {
      stubFor(get("/plants/7").willReturn(aResponse().withBodyFile("yew.json")));
      same(fetch("/plants/7").body().contains("from a file"), true);
    });
    check("a stub sets two cookies", () -> {
      stubFor(get("/plants").willReturn(okJson("[]").withHeader("Set-Cookie", "a=1", "b=2")));
      same(fetch("/plants").headers().allValues("set-cookie"), "[a=1, b=2]");
    });
    check("a stub wants a user and a password", () -> {
      stubFor(get("/plants").withBasicAuth("ada", "lace").willReturn(okJson("[{\"name\": \"hers\"}]")));
      same(fetch("/plants", "Authorization", "Basic YWRhOmxhY2U=").body().contains("hers"), true);
      same(fetch("/plants", "Authorization", "Basic YWRhOm5v").body().contains("hers"), false);
    });
    check("a body that is matched in several ways", () -> {
      stubFor(post("/plants").withRequestBody(matchingJsonPath("$.name", containing("er")))
          .withRequestBody(equalToJson(FERN, true, true)).willReturn(jsonResponse("{\"name\": \"both\"}", 201)));
      same(plant(FERN).body().contains("both"), true);
      same(plant("{\"name\": \"Ivy\"}").body().contains("both"), false);
    });
    check("a stub may have the media type text", () -> {
      stubFor(get("/plants").willReturn(okForContentType("text/plain", "three plants")));
      same(fetch("/plants").body(), "three plants");
    });
    check("faults and delays", () -> {
      stubFor(get("/plants").willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
      try {
        fetch("/plants");
        throw new AssertionError("it was answered");
      } catch (IOException expected) {
        reset();
      }
      stubFor(get("/plants").willReturn(okJson("[]").withFixedDelay(50)));
      stubFor(get("/plants/7").willReturn(okJson(FERN).withUniformRandomDelay(10, 20)));
      same(fetch("/plants").statusCode(), 200);
      same(fetch("/plants/7").statusCode(), 200);
    });
    check("a stub that is refused says why", () -> {
      fails(() -> stubFor(get("/trees").willReturn(ok())), "the document has no GET on /trees");
    });
    check("settings have a delay", () -> {
      setGlobalFixedDelay(20);
      same(getSettings().getFixedDelay(), 20);
      same(fetch("/plants").statusCode(), 200);
    });
    check("stubs have metadata", () -> {
      stubFor(get("/plants").withMetadata(java.util.Map.of("tag", "a")).willReturn(okJson("[]")));
      same(findStubsByMetadata(matchingJsonPath("$.tag", equalTo("a"))).size(), 1);
      fetch("/plants");
      same(removeEventsByStubMetadata(matchingJsonPath("$.tag", equalTo("a"))).size(), 1);
      removeStubsByMetadata(matchingJsonPath("$.tag", equalTo("a")));
      same(countAdded(), 0);
    });
    check("stubs are imported", () -> {
      importStubs(com.github.tomakehurst.wiremock.stubbing.StubImport.stubImport()
          .stub(get("/plants").willReturn(okJson("[{\"name\": \"in\"}]")))
          .stub(get("/plants/7").willReturn(okJson(FERN))).build());
      same(countAdded(), 2);
      same(fetch("/plants").body().contains("in"), true);
    });
    check("an unknown stub is refused", () -> {
      UUID unknown = UUID.fromString("00000000-0000-4000-8000-0000000000ff");
      fails(() -> getSingleStubMapping(unknown), "no stub mapping");
      removeStub(get("/plants").withId(unknown));
    });
    check("a stub of the folder returns after it was removed", () -> {
      same(fetch("/plants/70").body().contains("from a file"), true);
      removeAllMappings();
      same(fetch("/plants/70").body().contains("from a file"), false);
      resetToDefault();
      same(fetch("/plants/70").body().contains("from a file"), true);
    });
    check("a mapping may have null members", () -> {
      String mapping = "{\"id\": null, \"uuid\": null, \"name\": null, \"request\": {\"method\": \"GET\", \"url\": \"/plants\","
          + " \"headers\": null}, \"response\": {\"status\": 200, \"body\": \"[]\", \"headers\": null}, \"metadata\": null}";
      HttpResponse<String> answer = send("POST", "/__admin/mappings", mapping);
      same(answer.statusCode(), 201);
      StubMapping made = StubMapping.buildFrom(answer.body());
      same(getSingleStubMapping(made.getId()).getId(), made.getId());
    });
    check("recording is refused as WireMock refuses", () -> {
      same(getRecordingStatus().getStatus(), "NeverStarted");
      fails(() -> startRecording("http://example.com"), "");
    });
    check("cookies, parameters of the path, and templates", () -> {
      stubFor(get(urlPathTemplate("/plants/{id}")).withPathParam("id", equalTo("9")).withCookie("who", equalTo("ada"))
          .willReturn(okJson("{\"name\": \"{{request.path}}\"}").withTransformers("response-template")));
      same(fetch("/plants/9", "Cookie", "who=ada").body().contains("/plants/9"), true);
    });
    check("all stubs are reset", () -> {
      stubFor(get("/plants").willReturn(okJson("[]")));
      resetToDefault();
      fetch("/plants");
      resetAllRequests();
      same(getAllServeEvents().size(), 0);
      removeAllMappings();
    });
    check("a client for a session", () -> {
      WireMock.create().host(url.getHost()).port(url.getPort()).urlPathPrefix("/__session/one").build()
          .register(get("/plants").willReturn(okJson("[{\"name\": \"mine\"}]")));
      same(fetch("/__session/one/plants").body().contains("mine"), true);
      same(fetch("/plants").body().contains("mine"), false);
    });
  }
}
