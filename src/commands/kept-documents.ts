import { createHash } from 'node:crypto';
import { stringifyJson } from '../base/json/stringify.ts';
import { LazyText } from '../base/lazy-text.ts';
import { once } from '../base/remember.ts';
import type { KeptDocuments } from '../document/kept-documents.ts';
import {
  type KeptResult,
  type Outline,
  outlineJson,
  type WrittenJson,
} from '../document/source.ts';
import { identifyProgram, keepResults, openKeptFiles, withChecksum } from './kept-files.ts';

/** Values are as large as their documents. */
const MOST_VALUES = 10;

/** The results that this program stores in the cache folder. */
export interface StoredDocuments extends KeptDocuments {
  /** Returns true once a YAML text was parsed as a whole, as its value is not stored. */
  hasMissedValue(): boolean;
  /** Stores what was found: the digest of a text takes time that a start can use. */
  keepFound(): Promise<void>;
}

/**
 * Returns the store of parsed documents in the user's cache folder; undefined without such a folder.
 *
 * @param isCheck true for a check, which stores the values of YAML texts that were parsed as a whole,
 *   and needs no meanings
 */
export function openKeptDocuments(
  cacheFolder: string | undefined,
  isCheck = false,
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
      const readOutline = async (): Promise<Outline | undefined> =>
        (await outlines.has(length)) ? await outlines.read(name()) : undefined;
      const keepJson = async ({ text, outline }: WrittenJson): Promise<void> => {
        await values.keep(name(), text.bytes);
        // Last, as its presence says that there is a value.
        await outlines.keep(name(), outline);
      };
      const readResult = async (): Promise<KeptResult> => ({
        result: (await meanings.has(length)) ? await meanings.read(name()) : undefined,
        keep: (result) => void meanings.keep(name(), result),
      });
      return {
        readOutline,
        keepOutline: (outline) => void found.push(() => outlines.keep(name(), outline)),
        async readJson() {
          const outline = await readOutline();
          const text = outline && (await values.read(name()));
          return text && { text: LazyText.read(text), outline };
        },
        keepJson: (json) => void found.push(() => keepJson(json)),
        async keepValue({ value }) {
          missedValue = true;
          const json = isCheck ? outlineJson(LazyText.of(stringifyJson(value))) : undefined;
          if (json !== undefined) await keepJson(json);
        },
        ...(isCheck ? {} : { readResult }),
      };
    },
  };
}
