import type { OpenAPIDocument } from '../document/document.ts';
import type { Resources } from '../state/resources.ts';
import type { ResponseSource } from './answer.ts';
import { fixtureSource } from './by-fixture.ts';
import type { DrawValue } from './draw.ts';
import type { ErrorBodies } from './error-body.ts';
import { exampleSource } from './example.ts';
import { createGeneration, generatedSource } from './generated.ts';
import { createExampleMatching, matchedFailureSource, matchedSource } from './matched.ts';
import { nothingFoundSource, type Reasons } from './nothing-found.ts';
import { preferredSource } from './preferred.ts';
import { completedSource, statefulSource } from './stateful.ts';
import { undeclaredSource } from './undeclared.ts';

/** How answers are found when the client does not say. */
export interface RespondSettings {
  /** `stateful` remembers what is created; `example` gives the document's examples. */
  readonly mode: 'stateful' | 'example';
  /** True generates where an example could be given. */
  readonly dynamic: boolean;
  /** True passes over the document's examples. */
  readonly ignoreExamples: boolean;
  readonly uniqueIds: boolean;
}

/** What the sources draw from. */
export interface SourceMaterial {
  readonly document: OpenAPIDocument;
  readonly resources: Resources;
  readonly errorBodies: ErrorBodies;
  readonly draw: DrawValue;
  readonly reasons: Reasons;
}

/** The sources of answers in the order in which they are asked. */
export function orderSources(
  settings: RespondSettings,
  { document, resources, errorBodies, draw, reasons }: SourceMaterial,
): readonly ResponseSource[] {
  const generation = createGeneration(draw);
  const matching = createExampleMatching(document);
  const isStateful = settings.mode === 'stateful' && !settings.dynamic;
  const hasExamples = !settings.dynamic && !settings.ignoreExamples;
  return [
    preferredSource(generation, reasons, settings.dynamic),
    fixtureSource(errorBodies),
    ...(hasExamples ? [matchedFailureSource(matching)] : []),
    ...(isStateful
      ? [statefulSource(resources, settings.uniqueIds), completedSource(resources, generation)]
      : []),
    ...(hasExamples ? [matchedSource(matching), exampleSource()] : []),
    generatedSource(generation, settings.dynamic ? 'free' : 'given'),
    // A schema that defeats the generator may still have an example.
    exampleSource(),
    undeclaredSource(),
    nothingFoundSource(reasons),
  ];
}
