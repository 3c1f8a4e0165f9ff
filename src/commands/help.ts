import { describeOptions } from '../settings/options.ts';

/** Returns the text of `coldframe --help`. */
export function describeUsage(): string {
  return `A stateful mock server for OpenAPI documents. It stores what requests create, refuses invalid
requests and explains why, fails on demand, and never responds outside the document.

Usage:
  coldframe [document...] [flags]
  coldframe <command> [flags]

Examples:
  coldframe                             serve the plant store, an example, on http://127.0.0.1:4010
  coldframe api.yaml -p 8080            serve your document on port 8080
  coldframe /v1=old.yaml /v2=new.yaml   serve two documents, each below a path
  coldframe api.yaml --fixture offline  serve it as if it were down
  coldframe check api.yaml              find problems in your document before you commit it
  coldframe state export > seed.yaml    save what a running mock has stored...
  coldframe api.yaml --fixtures seed.yaml
                                        ...and start another mock with it

Commands:
  mock [document...]                start the server; you can omit the word
  check [document...]               report errors and limits of documents and fixture files;
                                    exit 1 on errors, with --strict also on warnings
  explain [document...]             show what each operation does to stored resources, and why
  fixtures [document...]            list failure rules and profiles
  fixtures schema [document...]     print the JSON Schema of fixture files for your editor
  state export [document...]        print the stored resources of a running mock as a fixture file;
                                    with a document or a store, those of a new mock
  state import <file>               replace the stored resources of a running mock
  types [document...]               print TypeScript types for tests
  webhook <name> --to <url> [document...]
                                    send a webhook of the document and print the response
  health                            check a mock on this port; exit 1 if it is not healthy

${describeOptions()}
Commands only:
      --format <format>               Format of check: text, json, sarif, junit; of explain: text, json. [text]
      --out <file>                    Write types, a schema or a state to this file.
      --to <url>                      Receiver of a webhook.
      --url <url>                     Running mock to export from or import to. [http://127.0.0.1:4010]
      --session <id>                  Session to export from or import to. [default]
      --add                           Import in addition to the stored resources instead of replacing them.

Other:
      --config <file>                 Read settings from this file instead of coldframe.config.{yaml,yml,json,js,mjs}.
      --help                          Print this help.
      --version                       Print the version.

[value] is the default. Disable a flag with --no-cors or --cors=false.

Each flag has a variable: --body-limit is COLDFRAME_BODY_LIMIT, and the document is
COLDFRAME_DOCUMENT. Flags override variables, and variables override the configuration file.

A request can choose its response:
  Prefer: code=400                  a status that the operation declares
  Prefer: example=badToken          an example by its name
  Prefer: dynamic=true, seed=7      a generated response
  ?__code=400&__example=badToken    the same in a URL
  Mock-Fixture: slow                a failure rule or profile, for this request only
  Mock-Session: a1                  a session with its own state, rules, journal and clock
  Mock-Replay: seed="x", call=17    the random failure whose response had this field
`;
}
