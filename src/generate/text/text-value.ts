import { countCharacters } from '../../base/words.ts';
import { drawOne } from '../chance.ts';
import { drawInRange } from '../named-ranges.ts';
import type { Constraints } from '../space/constraints.ts';
import { type Draft, topicOf } from '../value-builder.ts';
import { drawBase64 } from './codes.ts';
import { type FormatTexts, formatTexts } from './format-texts.ts';
import { drawMoment, findWritings } from './moments.ts';
import { drawByPattern } from './pattern-text.ts';
import { oneOf, slugOf, type TextSource } from './topic.ts';
import { landmarks, sentences } from './word-lists.ts';

/** Longer texts are not built. */
const LONGEST = 100_000;

/** Draws before a source is given up. */
const MOST_DRAWS = 3;
const MOST_DRAWS_BY_PATTERN = 24;

/** Formats in which a text that suits the name of its property can be. */
const NAMED_FORMATS: ReadonlySet<string> = new Set([
  ...['uri', 'url', 'iri', 'uri-reference', 'email', 'idn-email', 'hostname', 'ipv4', 'password'],
]);

/** Returns a text that fits the constraints; undefined when none was found. */
export function drawText(draft: Draft): string | undefined {
  const { minLength, patterns, excludedPatterns, formats } = draft.constraints;
  if (minLength > LONGEST) return undefined;
  const found = drawNamed(draft) ?? drawFormatted(draft) ?? drawUsual(draft);
  if (found !== undefined) return found;
  if (patterns.length + excludedPatterns.length + formats.length === 0) return undefined;
  return drawPatterned(draft);
}

/** Returns a text that suits the name, the format or the description; undefined if none fits. */
function drawNamed(draft: Draft): string | undefined {
  const { builder, constraints, wish } = draft;
  const { analysis } = builder;
  const [format] = constraints.formats;
  const { texts, span, isDay } = analysis.suggestions(constraints, wish);
  const topic = topicOf(draft);
  if (span !== undefined) {
    const moment = drawMoment(topic, span);
    for (const write of findWritings(format, isDay)) {
      const text = write(moment);
      if (isFitting(draft, text)) return text;
    }
  }
  if (format !== undefined && formatTexts.has(format) && !NAMED_FORMATS.has(format))
    return undefined;
  for (const { draw } of texts) {
    const text = draw(topic);
    const found = spellings(draft, text).find((one) => isFitting(draft, one));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a text, and where there is a pattern, other spellings: `cedar-project`, `CedarProject`. */
function spellings({ constraints }: Draft, text: string): readonly string[] {
  if (constraints.patterns.length === 0 || !/^[A-Z][\w ]* [\w ]*\w$/.test(text)) return [text];
  const slug = slugOf(text);
  const snake = slug.replaceAll('-', '_');
  return [text, slug, snake, text.replaceAll(' ', ''), snake.toUpperCase(), slugOf(text, '')];
}

/** Returns a text that encoding, name or length suggest, cut or filled up to its length. */
function drawUsual(draft: Draft): string | undefined {
  const { minLength, maxLength } = draft.constraints;
  const source = usualSource(draft);
  // A word hardly ever matches a pattern.
  const draws = draft.constraints.patterns.length > 0 ? 1 : MOST_DRAWS;
  for (let draw = 0; draw < draws; draw++) {
    const text = fitLength(source(topicOf(draft), ''), minLength, maxLength, 'a');
    if (isFitting(draft, text)) return text;
  }
  return undefined;
}

function usualSource({ builder, constraints, wish }: Draft): TextSource {
  const encoded = constraints.applied.find(({ schema }) => schema['contentEncoding'] !== undefined);
  if (encoded !== undefined) return ({ chance }) => drawBase64(chance);
  const media = constraints.applied.find(({ schema }) => schema['contentMediaType'] !== undefined);
  if (String(media?.schema['contentMediaType']).includes('json')) return () => '{}';
  const { texts, number } = builder.analysis.suggestions(constraints, wish);
  if (texts[0] !== undefined) return texts[0].draw;
  const { range } = number;
  // The value of a setting or of a field can be anything.
  if (range !== undefined && wish.name !== 'value')
    return ({ chance }) => drawInRange(chance, range);
  return constraints.minLength > 40 ? oneOf(sentences) : oneOf(words);
}

/** Words for texts of which nothing is known. */
const words = landmarks.map((word) => word.toLowerCase());

function drawFormatted(draft: Draft): string | undefined {
  const { builder, constraints } = draft;
  const fits = (text: string): boolean => isFitting(draft, text);
  const texts = constraints.formats.map((format) => formatTexts.get(format)).find(Boolean);
  if (texts === undefined) return undefined;
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const text = texts.draw(topicOf(draft), '');
    if (fits(text)) return text;
    const stretched = stretch(texts, text, constraints);
    if (stretched !== text && fits(stretched)) return stretched;
  }
  const short = (texts.short ?? []).flatMap((text) => [text, stretch(texts, text, constraints)]);
  return drawOne(builder.chance, short.filter(fits));
}

function stretch({ stretch: longer }: FormatTexts, text: string, constraints: Constraints): string {
  const missing = constraints.minLength - countCharacters(text);
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
    formats.every((format) => analysis.formats.accepts(format, text)) &&
    patterns.every((pattern) => compiled.matches(pattern, text)) &&
    !excludedPatterns.some((pattern) => compiled.matches(pattern, text))
  );
}

/** Shortens a text that is too long, and pads one that is too short. */
function fitLength(text: string, least: number, most: number, filling: string): string {
  if (text.length < least) return text + filling.repeat(least - text.length);
  return text.length > most ? text.slice(0, most).replace(/ $/, filling) : text;
}
