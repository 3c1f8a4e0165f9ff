import { CreateFunctionCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import {
  createDefaultHttpClient,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
} from '@azure/core-rest-pipeline';
import { retry as retryPlugin } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { Octokit } from '@octokit/rest';
import axios from 'axios';
import axiosRetry from 'axios-retry';
import { ExponentialBackoff, handleAll, retry } from 'cockatiel';
import fetchRetry from 'fetch-retry';
import got from 'got';
import ky from 'ky';
import OpenAI from 'openai';
import pRetry, { AbortError } from 'p-retry';
import Stripe from 'stripe';
import { Agent, RetryAgent, request } from 'undici';

/** Requests with different numbers are different requests; the name is that of `@aws-sdk`. */
const target = (base, n) => `${base}/seeds?Marker=${n}`;

const BODY = { name: 'Fern' };
const HEADERS = { 'content-type': 'application/json' };

/** A request of `fetch`, with a deadline of its own. */
function initOf(method, timeout) {
  const signal = AbortSignal.timeout(timeout);
  return method === 'GET'
    ? { signal }
    : { method, signal, headers: HEADERS, body: JSON.stringify(BODY) };
}

function refuse(response) {
  if (response.ok) return response;
  const error = new Error(`HTTP ${response.status}`);
  throw Object.assign(error, { status: response.status });
}

const isPassing = (status) => status === 429 || status >= 500;

/**
 * Creates each client for a base URL and a timeout in milliseconds. It sends one request, with the retries that the client has by
 * default. Where it has none for responses, the options are those of its documentation.
 */
export const clients = {
  ky: (base, timeout) => (method, n) =>
    ky(target(base, n), { method, timeout, ...(method !== 'GET' && { json: BODY }) }),

  got: (base, timeout) => (method, n) =>
    got(target(base, n), {
      method,
      timeout: { response: timeout },
      ...(method !== 'GET' && { json: BODY }),
    }),

  'axios-retry': (base, timeout) => {
    const client = axios.create({ baseURL: base, timeout });
    axiosRetry(client);
    return (method, n) =>
      client.request({ url: target('', n), method, ...(method !== 'GET' && { data: BODY }) });
  },

  undici: (base, timeout) => async (method, n) => {
    const dispatcher = new RetryAgent(new Agent({ headersTimeout: timeout }));
    const body = method === 'GET' ? undefined : JSON.stringify(BODY);
    try {
      const response = await request(target(base, n), {
        method,
        dispatcher,
        headers: HEADERS,
        body,
      });
      await response.body.dump();
      return refuse({ ok: response.statusCode < 400, status: response.statusCode });
    } finally {
      await dispatcher.close();
    }
  },

  'p-retry': (base, timeout) => (method, n) =>
    pRetry(
      async () => {
        const response = await fetch(target(base, n), initOf(method, timeout));
        if (!response.ok && !isPassing(response.status))
          throw new AbortError(`HTTP ${response.status}`);
        return refuse(response);
      },
      { retries: 3 },
    ),

  openai: (base, timeout) => {
    const client = new OpenAI({ baseURL: base, apiKey: 'key', timeout });
    return (method, n) =>
      method === 'GET' ? client.get(target('', n)) : client.post(target('', n), { body: BODY });
  },

  stripe: (base, timeout) => {
    const { hostname: host, port, pathname } = new URL(base);
    const client = new Stripe('sk_test_key', {
      host,
      port,
      protocol: 'http',
      timeout,
      telemetry: false,
    });
    return (method, n) =>
      client.rawRequest(method, target(pathname, n), method === 'GET' ? undefined : BODY);
  },

  octokit: (base, timeout) => {
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const onLimit = () => true;
    const client = new (Octokit.plugin(retryPlugin, throttling))({
      baseUrl: base,
      log,
      throttle: { id: base, onRateLimit: onLimit, onSecondaryRateLimit: onLimit },
    });
    return (method, n) =>
      client.request(`${method} ${target('', n)}`, {
        ...(method !== 'GET' && BODY),
        request: { signal: AbortSignal.timeout(timeout) },
      });
  },

  '@aws-sdk': (base, timeout) => {
    const client = new LambdaClient({
      endpoint: base,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      requestHandler: { requestTimeout: timeout, throwOnRequestTimeout: true },
    });
    const seed = {
      FunctionName: 'fern',
      Role: 'arn:aws:iam::1:role/fern',
      Code: { S3Bucket: 'b', S3Key: 'k' },
    };
    return (method, n) =>
      client.send(
        method === 'GET'
          ? new ListFunctionsCommand({ Marker: String(n) })
          : new CreateFunctionCommand(seed),
      );
  },

  '@azure/core-rest-pipeline': (base, timeout) => {
    const pipeline = createPipelineFromOptions({});
    const client = createDefaultHttpClient();
    return async (method, n) => {
      const { status } = await pipeline.sendRequest(
        client,
        createPipelineRequest({
          url: target(base, n),
          method,
          timeout,
          allowInsecureConnection: true,
          headers: createHttpHeaders(HEADERS),
          ...(method !== 'GET' && { body: JSON.stringify(BODY) }),
        }),
      );
      return refuse({ ok: status < 400, status });
    };
  },

  cockatiel: (base, timeout) => {
    const policy = retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() });
    return (method, n) =>
      policy.execute(async () => refuse(await fetch(target(base, n), initOf(method, timeout))));
  },

  'fetch-retry': (base, timeout) => {
    const send = fetchRetry(fetch, { retryOn: [429, 503] });
    return async (method, n) => refuse(await send(target(base, n), initOf(method, timeout)));
  },
};
