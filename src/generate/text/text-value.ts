import { drawOne } from '../chance.ts';
import type { Constraints } from '../space/constraints.ts';
import type { Draft } from '../value-builder.ts';
import { drawBase64, drawSentence, drawTitle, drawWord } from './common-texts.ts';
import { type FormatTexts, formatTexts } from './format-texts.ts';
import { drawByPattern } from './pattern-text.ts';
import type { TextSource } from './vocabulary.ts';

/** Longer texts are not built. */
const LONGEST = 100_000;

/** Draws before a source is given up. */
const MOST_DRAWS = 3;
const MOST_DRAWS_BY_PATTERN = 24;

/** Returns a text that fits the constraints; undefined when none was found. */
export function drawText(draft: Draft): string | undefined {
  const { builder, constraints } = draft;
  const { minLength, maxLength, patterns, excludedPatterns, formats } = constraints;
  if (minLength > LONGEST) return undefined;
  const byFormat = drawFormatted(draft);
  if (byFormat !== undefined) return byFormat;
  const source = usualSource(draft);
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const text = fitLength(
      source(builder.chance, builder.analysis.vocabulary),
      minLength,
      maxLength,
      'a',
    );
    if (isFitting(draft, text)) return text;
  }
  if (patterns.length + excludedPatterns.length + formats.length === 0) return undefined;
  return drawPatterned(draft);
}

/** Returns the source that encoding, name or length suggest: otherwise a word or two. */
function usualSource({ builder, constraints, wish }: Draft): TextSource {
  const encoded = constraints.applied.find(({ schema }) => schema['contentEncoding'] !== undefined);
  if (encoded !== undefined) return (chance) => drawBase64(chance);
  const media = constraints.applied.find(({ schema }) => schema['contentMediaType'] !== undefined);
  if (String(media?.schema['contentMediaType']).includes('json')) return () => '{}';
  const named = builder.analysis.namedText(wish.name, wish.parent);
  if (named !== undefined) return named;
  if (constraints.minLength > 40) return drawSentence;
  return constraints.maxLength < 20 ? drawWord : drawTitle;
}

function drawFormatted(draft: Draft): string | undefined {
  const { builder, constraints } = draft;
  const { analysis, chance } = builder;
  const fits = (text: string): boolean => isFitting(draft, text);
  const texts = constraints.formats.map((format) => formatTexts.get(format)).find(Boolean);
  if (texts === undefined) return undefined;
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const text = texts.draw(chance, analysis.vocabulary);
    if (fits(text)) return text;
    const stretched = stretch(texts, text, constraints);
    if (stretched !== text && fits(stretched)) return stretched;
  }
  const short = (texts.short ?? []).flatMap((text) => [text, stretch(texts, text, constraints)]);
  return drawOne(chance, short.filter(fits));
}

function stretch({ stretch: longer }: FormatTexts, text: string, constraints: Constraints): string {
  const missing = constraints.minLength - [...text].length;
  return missing > 0 && longer !== undefined ? longer(text, missing) : text;
}

function drawPatterned(draft: Draft): string | undefined {
  const { builder, constraints } = draft;
  const { analysis, chance } = builder;
  const fits = (text: string): boolean => isFitting(draft, text);
  const { minLength, maxLength, patterns } = constraints;
  const longest = Math.min(maxLength, Math.max(minLength, 40));
  const parsed = patterns.map((pattern) => analysis.parsedPattern(pattern)).find(Boolean);
  for (let draw = 0; parsed !== undefined && draw < MOST_DRAWS_BY_PATTERN; draw++) {
    const text = drawByPattern(parsed, chance, draw, longest);
    const found = filled(text, constraints).find(fits);
    if (found !== undefined) return found;
  }
  const automaton = analysis.automaton(constraints);
  for (let draw = 0; automaton?.isPossible && draw < MOST_DRAWS_BY_PATTERN; draw++) {
    const text = automaton.draw(chance);
    if (fits(text)) return text;
  }
  return undefined;
}

/** Returns the text, or texts of the right length where it is too short or too long. */
function filled(text: string, { minLength, maxLength }: Constraints): string[] {
  if (text.length >= minLength && text.length <= maxLength) return [text];
  return ['a', ' ', '0', '-'].map((filling) => fitLength(text, minLength, maxLength, filling));
}

function isFitting({ builder, constraints }: Draft, text: string): boolean {
  const { analysis } = builder;
  const { minLength, maxLength, patterns, excludedPatterns, formats } = constraints;
  const { patterns: compiled } = analysis.store;
  if (text.length < minLength || text.length > maxLength) {
    const { length } = [...text];
    if (length < minLength || length > maxLength) return false;
  }
  return (
    formats.every((format) => analysis.formats.acceptsText(format, text)) &&
    patterns.every((pattern) => compiled.matches(pattern, text)) &&
    !excludedPatterns.some((pattern) => compiled.matches(pattern, text))
  );
}

/** Shortens a text that is too long, and pads one that is too short. */
function fitLength(text: string, least: number, most: number, filling: string): string {
  if (text.length < least) return text + filling.repeat(least - text.length);
  return text.length > most ? text.slice(0, most).replace(/ $/, filling) : text;
}
