import { isJsonObject } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import { type Finding, type Inspector, Tally } from './finding.ts';

/** Finds features outside of schemas that the mock reads but does not enforce. */
export function createFeatureInspector({ document }: Contract): Inspector {
  const tally = new Tally(document);
  return {
    inspect(operation) {
      lookAtSecurity(tally, operation);
      for (const content of contentsOf(operation)) {
        lookAtContent(tally, document, content);
      }
    },
    *conclude(): Generator<Finding> {
      for (const { place } of document.entries) lookAtDialect(tally, document, place);
      yield* tally.findings();
    },
  };
}

function* contentsOf({ body, responses }: Operation): Generator<Content> {
  yield* body?.contents ?? [];
  for (const { contents } of responses.all) yield* contents;
}

function lookAtSecurity(tally: Tally, { security, pointer }: Operation): void {
  for (const scheme of security.flat()) {
    if (scheme.kind === 'mutualTLS') {
      tally.addUnsupported(
        pointer,
        `the certificate of ${JSON.stringify(scheme.name)} (mutualTLS) is not asked for`,
      );
    }
    if (scheme.kind === 'http') {
      tally.addUnsupported(
        pointer,
        `of a credential of the scheme ${JSON.stringify(scheme.scheme)} only the name of the scheme is checked`,
      );
    }
  }
}

/** Reports a media type whose bodies are not parsed, so that its schema is not enforced. */
function lookAtContent(tally: Tally, document: OpenAPIDocument, content: Content): void {
  const { mediaType, pointer, isValidated, schema } = content;
  const located = schema && document.resolve(schema.pointer);
  const types = isJsonObject(located?.value) ? [located.value['type'] ?? []].flat() : [];
  if (isValidated || types.every((type) => type === 'string' || type === 'file')) return;
  tally.addUnsupported(
    pointer,
    `bodies of ${mediaType} are passed on as bytes: their schema is not checked`,
  );
}

/** OAS 3.1 §4.8.24.5. */
const DIALECTS =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/dialect\/.*)#?$/;

function lookAtDialect(tally: Tally, document: OpenAPIDocument, root: Place): void {
  const place = `${root}/jsonSchemaDialect`;
  const dialect = document.at(place);
  if (typeof dialect !== 'string' || DIALECTS.test(dialect)) return;
  tally.addUnsupported(place, `schemas are read as JSON Schema 2020-12, and not as ${dialect}`);
}
