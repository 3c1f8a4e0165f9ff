/** A page of the documentation, as a list of steps that a reader takes. */
export type PageStep = FileStep | ShellStep;

/** A block of code whose first line is a comment with a file name: the reader saves it. */
interface FileStep {
  readonly kind: 'file';
  readonly name: string;
  readonly text: string;
}

/** Commands, and the output that the page shows below them. */
export interface ShellStep {
  readonly kind: 'shell';
  readonly line: number;
  readonly commands: readonly string[];
  readonly output: readonly string[] | undefined;
}

/** A fenced block of a page. */
export interface CodeBlock {
  readonly language: string;
  /** Where the block begins, counted from 1. */
  readonly line: number;
  readonly lines: readonly string[];
}

/** Returns the fenced blocks of a page in their order. */
export function readBlocks(page: string): readonly CodeBlock[] {
  const blocks: (CodeBlock & { lines: string[] })[] = [];
  let isOpen = false;
  for (const [index, line] of page.split('\n').entries()) {
    const fence = /^```(\w*)/.exec(line);
    if (fence !== null) {
      if (!isOpen) blocks.push({ language: fence[1] ?? '', line: index + 1, lines: [] });
      isOpen = !isOpen;
    } else if (isOpen) blocks.at(-1)?.lines.push(line);
  }
  return blocks;
}

/** Returns the name in a first line such as `# rules.yaml` or `// plants.test.mjs`. */
export function fileName({ lines }: CodeBlock): string | undefined {
  return /^(?:#|\/\/) ([\w./-]+\.\w+)$/.exec(lines[0] ?? '')?.[1];
}

/**
 * Returns the steps of a page. A block without a language is the output of the `sh` block above it.
 *
 * @throws {Error} for an output that no command precedes
 */
export function readSteps(page: string): readonly PageStep[] {
  const steps: PageStep[] = [];
  for (const block of readBlocks(page)) {
    const name = fileName(block);
    if (block.language === 'sh') {
      steps.push({ kind: 'shell', line: block.line, commands: block.lines, output: undefined });
    } else if (block.language === '') addOutput(steps, block);
    else if (name !== undefined) {
      steps.push({ kind: 'file', name, text: `${block.lines.join('\n')}\n` });
    }
  }
  return steps;
}

function addOutput(steps: PageStep[], { line, lines }: CodeBlock): void {
  const last = steps.pop();
  if (last?.kind !== 'shell' || last.output !== undefined) {
    throw new Error(`line ${line}: an output without a command; give the block a language`);
  }
  steps.push({ ...last, output: lines });
}

/** Returns the anchors of a page's headings, as GitHub makes them. */
export function readAnchors(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(page).matchAll(/^#{1,6} +(.+)$/gm)) {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
    let name = anchor;
    for (let count = 1; anchors.has(name); count++) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
}

/** Returns the targets of a page's links. */
export function readLinks(page: string): readonly string[] {
  const text = withoutCode(page).replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

function withoutCode(page: string): string {
  return page.replaceAll(/^```[\s\S]*?^```/gm, '');
}
