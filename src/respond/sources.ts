import type { Contract } from '../contract/contract.ts';
import type { Generator } from '../generate/generator.ts';
import type { FindListFacts } from '../resources/list/list-facts.ts';
import { CursorHints } from '../resources/list/page.ts';
import type { Resources } from '../resources/meaning.ts';
import { createResourceFacts } from '../resources/resource-facts.ts';
import type { World } from '../resources/seed/world.ts';
import { type FailingMaterial, ruleSource } from './by-rule.ts';
import { exampleSource } from './example.ts';
import { createGeneration, type DrawValue, generatedSource } from './generated.ts';
import { createMatchedSources } from './matched.ts';
import { refuseUnacceptable } from './negotiate.ts';
import { nothingFoundSource, type Reasons } from './nothing-found.ts';
import { preferredSource } from './preferred.ts';
import type { ResponseSource } from './response.ts';
import { idempotentSource } from './state/idempotent.ts';
import { ShownTexts } from './state/shown-texts.ts';
import type { StateMaterial } from './state/state-request.ts';
import { awaitMeaning, statefulSource, unwrittenSource } from './stateful.ts';

interface RespondSettings extends Pick<StateMaterial, 'uniqueIds' | 'emptyState'> {
  readonly token: readonly string[];
  readonly mode: 'stateful' | 'example';
  readonly dynamic: boolean;
  readonly ignoreExamples: boolean;
  readonly accept: 'related' | 'strict';
}

interface SourceMaterial extends FailingMaterial {
  readonly contract: Contract;
  readonly resources: Resources;
  readonly generator: Generator;
  readonly draw: DrawValue;
  readonly reasons: Reasons;
  readonly world: World;
  readonly listFactsOf: FindListFacts;
}

export function orderSources(settings: RespondSettings, given: SourceMaterial): ResponseSource[] {
  const { contract, resources, draw, reasons } = given;
  const generation = createGeneration(draw);
  const matched = createMatchedSources(contract.document);
  const isStateful = settings.mode === 'stateful' && !settings.dynamic;
  const hasExamples = !settings.dynamic && !settings.ignoreExamples;
  const material = {
    ...given,
    factsOf: createResourceFacts(contract.schemas.nodes, resources),
    cursorHints: new CursorHints(),
    shownTexts: new ShownTexts(),
    uniqueIds: settings.uniqueIds,
    emptyState: settings.emptyState,
    tokens: settings.token,
    world: settings.emptyState === 'world' ? given.world : undefined,
    hasExamples,
  };
  return [
    preferredSource({ ...given, generate: generation, isDynamic: settings.dynamic }),
    ruleSource(given),
    ...(settings.accept === 'strict' ? [refuseUnacceptable] : []),
    // What follows reads the state without another wait, so that requests stay in their order.
    ...(isStateful ? [awaitMeaning(resources), idempotentSource()] : []),
    ...(hasExamples ? [matched.failure] : []),
    ...(isStateful ? [statefulSource(material)] : []),
    ...(hasExamples ? [matched.success] : []),
    ...(isStateful ? [unwrittenSource(material)] : []),
    ...(hasExamples ? [exampleSource()] : []),
    generatedSource(generation, settings.dynamic ? 'free' : 'given'),
    // If nothing can be generated, there may still be an example.
    exampleSource(),
    nothingFoundSource(reasons),
  ];
}
