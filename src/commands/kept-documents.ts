import { createHash } from 'node:crypto';
import { scanJson } from '../base/json/outline.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { LazyText } from '../base/lazy-text.ts';
import { once } from '../base/remember.ts';
import type { KeptDocuments } from '../document/kept-documents.ts';
import { listOwnPaths } from '../document/listed-paths.ts';
import type { KeptResult, Outline, Source } from '../document/source.ts';
import { identifyProgram, keepResults, openKeptFiles, withChecksum } from './kept-files.ts';

/** Values are as large as their documents. */
const MOST_VALUES = 10;

/** The results that this program stores in the cache folder. */
export interface StoredDocuments extends KeptDocuments {
  /** Returns true once a YAML text had to be parsed, as its value is not stored. */
  hasMissedValue(): boolean;
  /** Stores the outlines that were found: the digest of a text takes time that a start can use. */
  keepFound(): Promise<void>;
}

/**
 * Returns the store of parsed documents in the user's cache folder; undefined without such a folder.
 *
 * @param keepsValues true for a check, which stores the values of YAML texts, too, and needs no
 *   meanings
 */
export function openKeptDocuments(
  cacheFolder: string | undefined,
  keepsValues = false,
): StoredDocuments | undefined {
  if (cacheFolder === undefined) return undefined;
  const outlines = keepResults<Outline>(openKeptFiles(cacheFolder, 'outlines'));
  const values = withChecksum(openKeptFiles(cacheFolder, 'values', MOST_VALUES));
  const meanings = withChecksum(openKeptFiles(cacheFolder, 'meanings', MOST_VALUES));
  let missedValue = false;
  const found: (() => Promise<void>)[] = [];
  return {
    hasMissedValue: () => missedValue,
    keepFound: async () => {
      await Promise.all(found.splice(0).map((keep) => keep()));
    },
    of(bytes, isJson) {
      // Without a file for a text of this length, the start needs no digest.
      const length = `${bytes.length}-`;
      const name = once(() => {
        const hash = createHash('sha256').update(`${identifyProgram()} ${isJson}\0`);
        return length + hash.update(bytes).digest('hex');
      });
      const keepValue = async (source: Source): Promise<void> => {
        const { value, hasIdentifiers, hasExtensions, leadsOutward } = source;
        const text = Buffer.from(stringifyJson(value));
        const json = scanJson(LazyText.read(text))?.outline;
        if (json === undefined) return;
        // Last, as its presence says that there is a value.
        await values.keep(name(), text);
        const paths = listOwnPaths(value);
        await outlines.keep(name(), { hasIdentifiers, hasExtensions, leadsOutward, json, paths });
      };
      const readResult = async (): Promise<KeptResult> => ({
        result: (await meanings.has(length)) ? await meanings.read(name()) : undefined,
        keep: (result) => void meanings.keep(name(), result),
      });
      return {
        async readOutline() {
          const isKept = await outlines.has(length);
          const outline = isKept ? await outlines.read(name()) : undefined;
          missedValue ||= !isJson && outline === undefined;
          return outline;
        },
        keepOutline: (outline) => void found.push(() => outlines.keep(name(), outline)),
        async readValue() {
          const json = await values.read(name());
          missedValue ||= json === undefined;
          return json && LazyText.read(json);
        },
        ...(keepsValues ? { keepValue } : { readResult }),
      };
    },
  };
}
