import { Failure } from './failure.ts';

/** One instruction of a Dockerfile, taken apart. */
export interface Instruction {
  readonly line: number;
  /** In capitals: `COPY`. */
  readonly keyword: string;
  /** `--from=build` is `from` with `build`. */
  readonly flags: ReadonlyMap<string, string>;
  /** The arguments after the flags, unchanged. */
  readonly text: string;
  /** The same as words: without quotes, or the members of the JSON form. */
  readonly words: readonly string[];
  /** True for the JSON form, which no shell interprets. */
  readonly isExec: boolean;
}

export interface Stage {
  readonly name: string | undefined;
  /** An image, or the name of an earlier stage. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** @returns the stages in their order; the last one is the image */
export function parseDockerfile(text: string): readonly Stage[] {
  if (/^#\s*escape\s*=/im.test(text)) throw new Failure('Dockerfile: # escape= is not known here');
  const stages: { name: string | undefined; base: string; instructions: Instruction[] }[] = [];
  for (const instruction of joinLines(text).map(parseInstruction)) {
    if (instruction.keyword === 'FROM') {
      const [base = '', , name] = instruction.words;
      stages.push({ name, base, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined) throw fault(instruction, 'stands before the first FROM');
      stage.instructions.push(instruction);
    }
  }
  if (stages.length === 0) throw new Failure('Dockerfile: there is no FROM');
  return stages;
}

/** @returns an error that names the line */
export function fault({ line, keyword }: Instruction, message: string): Failure {
  return new Failure(`Dockerfile:${line}: ${keyword} ${message}`);
}

interface LogicalLine {
  readonly line: number;
  readonly text: string;
}

/** Comment lines and empty ones count for nothing, also between the lines of an instruction. */
function joinLines(text: string): readonly LogicalLine[] {
  const joined: LogicalLine[] = [];
  let open: LogicalLine | undefined;
  for (const [index, physical] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(physical)) continue;
    const isContinued = physical.trimEnd().endsWith('\\');
    const part = isContinued ? physical.trimEnd().slice(0, -1) : physical;
    open = { line: open?.line ?? index + 1, text: (open?.text ?? '') + part };
    if (isContinued) continue;
    joined.push(open);
    open = undefined;
  }
  return open === undefined ? joined : [...joined, open];
}

function parseInstruction({ line, text }: LogicalLine): Instruction {
  const [, keyword = '', rest = ''] = /^\s*([A-Za-z]+)\s*(.*)$/s.exec(text) ?? [];
  const flags = new Map<string, string>();
  const operands = rest.replace(/^(?:--[a-z-]+(?:=\S*)?\s+)*/, (written) => {
    for (const [, name = '', value = ''] of written.matchAll(/--([a-z-]+)(?:=(\S*))?/g)) {
      flags.set(name, value);
    }
    return '';
  });
  const members = readExecForm(operands);
  const instruction: Instruction = {
    line,
    keyword: keyword.toUpperCase(),
    flags,
    text: operands.trim(),
    words: members ?? splitWords(operands),
    isExec: members !== undefined,
  };
  if (operands.includes('<<')) throw fault(instruction, 'with << is not known here');
  return instruction;
}

function readExecForm(text: string): readonly string[] | undefined {
  if (!text.trim().startsWith('[')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map(String) : undefined;
  } catch {
    // As an engine does: what is no JSON is for the shell.
    return undefined;
  }
}

/** `a "b c" d="e f"` is three words. */
function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
}
