import type { JsonObject } from '../base/json/value.ts';
import { validationLevels } from '../request/validate.ts';
import type { EditableSession } from '../session/session.ts';
import type { ControlOperations } from './call.ts';
import { textOf } from './members.ts';
import { jsonResponse } from './response.ts';

export const validationOperations: ControlOperations = {
  getValidation: ({ session, settings }) =>
    jsonResponse({ validate: session.validate ?? settings.settings['validate'] ?? null }),
  setValidation({ session, settings, members }) {
    setValidation(session, members);
    return jsonResponse({ validate: session.validate ?? settings.settings['validate'] ?? null });
  },
};

/** Sets the level of a session to that of the body; without one, the setting of the mock applies. */
export function setValidation(session: EditableSession, members: JsonObject): void {
  const name = textOf(members, 'validate');
  session.validate = validationLevels.find((level) => level === name);
}
