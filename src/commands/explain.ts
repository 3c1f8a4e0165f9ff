import { loadContract, loadResources } from '../assemble/load.ts';
import { stringifyJson, toJson } from '../base/json/stringify.ts';
import { createPaint, escapeControls, type Paint } from '../base/terminal.ts';
import {
  type DescribedOperation,
  type DescribedResource,
  describeOperation,
  describeResource,
} from '../resources/describe.ts';
import { chooseForm, type Invocation } from './console.ts';

/** Prints what each operation does to resources, and why Coldframe concludes that. */
export async function runExplain({ settings, console, format }: Invocation): Promise<number> {
  const write = chooseForm<(explained: Explained) => string>('explain', format, {
    text: (explained) => formatText(explained, console.hasColor),
    json: formatJson,
  });
  const { contract } = await loadContract(settings);
  const { resources } = await loadResources(contract, settings);
  const { nodes } = contract.schemas;
  const explained = {
    operations: resources.explain().map(describeOperation),
    resources: resources.all.map((type) => describeResource(type, resources, nodes)),
  };
  console.write(write(explained));
  return 0;
}

interface Explained {
  readonly operations: readonly DescribedOperation[];
  readonly resources: readonly DescribedResource[];
}

function formatJson({ operations, resources }: Explained): string {
  const sum = { operations: operations.length, understood: countUnderstood(operations) };
  return `${stringifyJson(toJson({ operations, resources, sum }))}\n`;
}

function formatText({ operations, resources }: Explained, hasColor: boolean): string {
  const paint = createPaint(hasColor);
  return [
    ...operations.map((one) => formatOperation(one, paint)),
    ...resources.map((one) => formatResource(one, paint)),
    summarize(operations, paint),
  ].join('');
}

function formatOperation(
  { method, path, does, resource, reason, source, details }: DescribedOperation,
  paint: Paint,
): string {
  const name = paint('bold', escapeControls(`${method} ${path}`));
  if (does === null) {
    const what = paint('yellow', 'not understood');
    return `${name}\n  ${what}: ${escapeControls(reason)}\n${formatDetails(details, paint)}`;
  }
  const what = paint('green', escapeControls([does, resource ?? []].flat().join(' ')));
  const why =
    source === 'inferred'
      ? reason
      : `declared in the ${source === 'settings' ? 'file of --resources' : 'document'}`;
  return `${name}\n  ${what}: ${escapeControls(why)}\n${formatDetails(details, paint)}`;
}

function formatResource({ name, kind, path, itemPath, details }: DescribedResource, paint: Paint) {
  const where = itemPath === null ? path : `${path}, each at ${itemPath}`;
  const what = kind === 'singleton' ? 'a single resource' : 'a collection';
  return (
    `\n${paint('bold', escapeControls(name))}: ${what} at ${escapeControls(where)}\n` +
    formatDetails(details, paint)
  );
}

function formatDetails(details: readonly string[], paint: Paint): string {
  return details.map((detail) => `    ${paint('dim', escapeControls(detail))}\n`).join('');
}

function summarize(operations: readonly DescribedOperation[], paint: Paint): string {
  const understood = countUnderstood(operations);
  const isAll = understood === operations.length;
  const others = isAll ? '' : '; the others respond with examples or generated values';
  const sum = `${understood} of ${operations.length} operations are understood${others}`;
  const remedy = isAll
    ? ''
    : '  To declare what an operation does, use x-coldframe in the document or --resources: docs/reference/resources.md\n';
  return `\n${paint(understood > 0 ? 'green' : 'yellow', sum)}\n${remedy}`;
}

function countUnderstood(operations: readonly DescribedOperation[]): number {
  return operations.filter(({ does }) => does !== null).length;
}
