import { readFile } from 'node:fs/promises';
import { packageFile } from '../settings/defaults.ts';
import { describeOptions } from '../settings/options.ts';

/** What `coldframe --help` prints. */
export function describeUsage(): string {
  return `Usage: coldframe [mock] [document] [flags]

A mock server for an OpenAPI document: it remembers what is created, refuses wrong requests with
every reason, fails on request, and never answers what the document does not allow.
Without a document it serves its own, a plant store.

Commands:
  mock [document]    Serve the document; the word may be left out.
  check [document]   Say what a mock can and cannot promise of the document and its failure
                     fixtures; exit 1 on errors, with --strict also on warnings.
  explain [document] Say what each operation does to what the mock remembers, and why that is
                     thought; and which operations were not understood.
  fixtures [document]
                     List the failure fixtures and profiles.
  fixtures schema [document]
                     Write the JSON Schema by which an editor completes fixture files.
  state export       Write what a running mock has stored as a fixture file, which a mock may
                     begin with; with a document or a store, what a new mock has.
  state import <file>
                     Put a fixture file in the place of what a running mock has stored.
  types [document]   Write the types of the document and its fixtures, by which a test is typed.
  webhook <name> --to <url> [document]
                     Send a webhook of the document, and print what came back.
  health             Ask the mock on this port whether it is well; exit 1 if not.

Flags:
${describeOptions()}
      --to <url>       Where a webhook goes.
      --out <file>     Where types, a schema or a state go; otherwise they are printed.
      --url <url>      The running mock whose state is meant. [http://127.0.0.1:4010]
      --session <id>   The session whose state is meant. [default]
      --add            Import besides what is stored, not in its place.
      --format <text|json|sarif|junit>
                       How a check is told; explain, as text or json. [text]
      --config <file>  Settings from this file; otherwise from coldframe.config.{yaml,json,js}.
      --help           Print this.
      --version        Print the version.

Every flag is also a variable: --body-limit is COLDFRAME_BODY_LIMIT, the document is
COLDFRAME_DOCUMENT. A flag that is true by default is turned off by --no-cors or --cors=false.

A request may ask for its answer:
  Prefer: code=400                 a status that the document declares
  Prefer: example=badToken         one of its examples by name
  Prefer: dynamic=true, seed=7     a generated answer
  ?__code=400&__example=badToken   the same in the address
  Mock-Fixture: slow               a failure fixture, for this request only
  Mock-Session: a1                 state, fixtures, journal, clock and chance of its own
  Mock-Replay: …                   the failure again whose answer said so

Examples:
  coldframe                                the plant store on http://127.0.0.1:4010
  coldframe api.yaml -p 8080               another document on another port
  coldframe --fixture fail-first-two       with a failure fixture switched on
  coldframe check api.yaml                 before it is committed
`;
}

/** @returns the version of the package */
export async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  return version;
}
