import { findNearestName } from '../base/nearest-name.ts';
import { describeOptions, UsageError } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';

/** Returns the text of `coldframe --help`, or that of a command. */
export function describeUsage(command?: string): string {
  const help = Object.hasOwn(commands, command ?? '')
    ? commands[command as CommandName]
    : undefined;
  if (help !== undefined) return describeCommand(help);
  // A document may be beside --help.
  if (command === undefined || command === 'help' || !/^[\w-]+$/.test(command))
    return describeAll();
  const meant = findNearestName(command, Object.keys(commands));
  const remedy =
    meant === undefined ? 'coldframe help lists all' : `did you mean coldframe help ${meant}?`;
  throw new UsageError(`there is no command "${command}"; ${remedy}`);
}

function describeAll(): string {
  return `A stateful mock server for OpenAPI documents. It stores what requests create, refuses invalid
requests and explains why, fails on demand, and never responds outside the document.

Usage:
  coldframe [document...] [flags]
  coldframe <command> [flags]

Examples:
  coldframe                             serve the plant store, an example, on http://localhost:4010
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
  coverage                          show what clients of a running mock used of the document;
                                    exit 1 below a gate of --min
  drill [document...] -- <command>  run your tests once for each failure of the document, and show
                                    which of them they survive
  explain [document...]             show what each operation does to stored resources, and why
  fixtures [document...]            list failure rules and profiles
  fixtures schema [document...]     print the JSON Schema of fixture files for your editor
  state export [document...]        print the stored resources of a running mock as a fixture file;
                                    with a document or a store, those of a new mock
  state import <file>               replace the stored resources of a running mock
  verdict                           show which rules the client of a running mock keeps when
                                    requests fail; exit 1 if one is broken
  types [document...]               print TypeScript types for tests
  webhook <name> --to <url> [document...]
                                    send a webhook of the document and print the response
  mcp [document...]                 serve tools for agents (Model Context Protocol) on standard
                                    input and output, of a new mock or, with --url, a running one
  health                            check a mock on this port; exit 1 if it is not healthy
  help <command>                    show the flags and examples of a command

${describeOptions()}
Commands only:
${Object.values(flags)
  .map((line) => `      ${line}\n`)
  .join('')}
${END}
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

/** Flags that are no settings. */
const flags = {
  format:
    '--format <format>               Format of check: text, json, sarif, junit; of drill, verdict: text, json, junit; of explain:\n                                      text, json; of coverage: text, json, html, markdown, junit, lcov. [text]',
  out: '--out <file>                    Write types, a schema, a state or a report to this file.',
  to: '--to <url>                      Receiver of a webhook.',
  url: '--url <url>                     Running mock of coverage, drill, state, verdict and mcp. [coverage, state, verdict: http://localhost:4010]',
  session:
    '--session <id>                  Session of coverage, state, verdict and mcp. [coverage: all, state, verdict: default, mcp: a new one]',
  only: '--only <names>                  Drill with these failures, operations or statuses only; repeatable.',
  list: '--list                          List the failures of a drill, and run nothing.',
  jobs: '--jobs <number>                 How many failures of a drill run at once. [1]',
  timeout:
    '--timeout <seconds>             How long the command of a drill may take. [30 s longer than without a failure, and 3 s for each request]',
  from: '--from <report>...              Merge reports of coverage instead of asking a running mock.',
  min: '--min <group>=<percent>         Exit with 1 below this coverage, as in errors=60; repeatable.',
  baseline:
    '--baseline <report>             Exit with 1 if something was covered before and is not now.',
  all: '--all                           Show everything that is not covered.',
  rules: '--rules <names>                 Judge by these rules only; repeatable.',
  also: '--also <names>                  Judge by these rules too, which are judged on request only.',
  set: '--set <rule>.<name>=<number>    Threshold of a rule, as in attempts-bounded.most=3; repeatable.',
  add: '--add                           Import in addition to the stored resources instead of replacing them.',
} as const;

const END = `Other:
      --config <file>                 Read settings from this file instead of coldframe.config.{yaml,yml,json,js,mjs}.
  -h, --help                          Print this help; after a command, that of the command.
      --version                       Print the version.

[value] is the default. Disable a flag with --no-cors or --cors=false.
`;

interface CommandHelp {
  /** The words after the program's name. */
  readonly usage: string;
  readonly does: string;
  readonly examples: readonly string[];
  /** The settings that the command uses; all where it is left out. */
  readonly settings?: readonly (keyof Settings)[];
  readonly flags?: readonly (keyof typeof flags)[];
}

const DOCUMENT = ['overlay', 'allowReference', 'strict'] as const;
const RULES = ['fixtures', 'wiremock', 'fixture', 'resources'] as const;
const ADDRESS = ['port', 'host', 'adminPort', 'adminToken'] as const;

const commands = {
  mock: {
    usage: '[mock] [document...] [flags]',
    does: 'Starts the server. Without a document, it serves the plant store, an example.',
    examples: ['api.yaml -p 8080', 'api.yaml --fixture offline'],
  },
  check: {
    usage: 'check [document...] [flags]',
    does: `Reports errors and limits of documents and fixture files. Exits with 1 on errors, with --strict
also on warnings.`,
    examples: ['check api.yaml', 'check api.yaml --strict --format junit > report.xml'],
    settings: [...DOCUMENT, ...RULES, 'undeclared'],
    flags: ['format'],
  },
  coverage: {
    usage: 'coverage [flags]',
    does: `Shows what clients of a running mock have used of the document, and a line of TypeScript for
everything that they have not: first the declared errors that they have never seen.`,
    examples: [
      'coverage',
      'coverage --min operations=90 --min errors=60',
      'coverage --from shard-1.json shard-2.json --format html --out coverage.html',
    ],
    settings: [...ADDRESS],
    flags: ['url', 'session', 'from', 'min', 'baseline', 'all', 'format', 'out'],
  },
  drill: {
    usage: 'drill [document...] [flags] -- <command>',
    does: `Runs your command, such as your tests, once without a failure and then once for each failure that
the document and its rules have: each declared error of the operations that the command calls, each
disabled rule, each profile. Each run has a mock of its own, whose base URL is in the variable
COLDFRAME_URL: give it to your client. Exits with 1 if the command fails where a retry would have
made it pass.`,
    examples: ['drill api.yaml -- npm test', 'drill api.yaml --only createPlant,flaky -- npm test'],
    settings: [...DOCUMENT, ...RULES, 'seed', 'adminToken'],
    flags: ['only', 'list', 'jobs', 'timeout', 'url', 'format', 'out'],
  },
  explain: {
    usage: 'explain [document...] [flags]',
    does: 'Shows what each operation does to stored resources, and why.',
    examples: ['explain api.yaml', 'explain api.yaml --resources resources.yaml'],
    settings: ['overlay', 'allowReference', 'resources'],
    flags: ['format'],
  },
  fixtures: {
    usage: 'fixtures [schema] [document...] [flags]',
    does: 'Lists failure rules, profiles and resources; with "schema", prints the JSON Schema of fixture files.',
    examples: [
      'fixtures api.yaml --fixtures rules.yaml',
      'fixtures schema api.yaml --out rules.schema.json',
    ],
    settings: ['overlay', 'allowReference', ...RULES],
    flags: ['out'],
  },
  state: {
    usage: 'state export|import [file] [document...] [flags]',
    does: 'Saves the stored resources of a running mock as a fixture file, or replaces them by one.',
    examples: ['state export --out seed.yaml', 'state import seed.yaml --session a1'],
    settings: [...ADDRESS, 'store', 'fixtures', 'seedExamples', 'populate'],
    flags: ['url', 'session', 'add', 'out'],
  },
  types: {
    usage: 'types [document...] [flags]',
    does: 'Prints TypeScript types of the document, its collections and rules, for tests.',
    examples: ['types api.yaml --out test/api.d.ts', 'types api.yaml --fixtures rules.yaml'],
    settings: ['overlay', 'allowReference', ...RULES],
    flags: ['out'],
  },
  verdict: {
    usage: 'verdict [flags]',
    does: `Shows how the client of a running mock behaves when requests fail: which rules it keeps, breaks,
and which its requests do not decide. Ask when the client is done. Exits with 1 if a rule is broken.`,
    examples: [
      'verdict',
      'verdict --session a1 --also conditional --set attempts-bounded.most=3',
      'verdict --format junit --out verdict.xml',
    ],
    settings: [...ADDRESS],
    flags: ['url', 'session', 'rules', 'also', 'set', 'format', 'out'],
  },
  webhook: {
    usage: 'webhook <name> --to <url> [document...] [flags]',
    does: 'Sends a webhook of the document, and prints the request and the response.',
    examples: [
      'webhook newPlant --to http://localhost:8080/hooks',
      'webhook orderShipped --to http://localhost:8080 api.yaml --seed 7',
    ],
    settings: ['overlay', 'allowReference', 'seed'],
    flags: ['to'],
  },
  mcp: {
    usage: 'mcp [document...] [flags]',
    does: `Serves tools for agents by the Model Context Protocol on standard input and output. It starts a
mock of its own, which listens for the code under test; --url takes a running one. Each agent has a
session of its own. Logs go to standard error.`,
    examples: ['mcp api.yaml', 'mcp --url http://localhost:4010'],
    flags: ['url', 'session'],
  },
  health: {
    usage: 'health [flags]',
    does: 'Checks a mock on this port. Exits with 1 if it is not healthy.',
    examples: ['health', 'health --port 8080'],
    settings: ['port', 'host'],
  },
} as const satisfies Record<string, CommandHelp>;

type CommandName = keyof typeof commands;

function describeCommand({
  usage,
  does,
  examples,
  settings,
  flags: own = [],
}: CommandHelp): string {
  const extra = own.map((name) => `      ${flags[name]}\n`).join('');
  return `${does}

Usage:
  coldframe ${usage}

Examples:
${examples.map((words) => `  coldframe ${words}\n`).join('')}
${extra === '' ? '' : `Of this command:\n${extra}\n`}${describeOptions(settings)}
${END}`;
}
