import { type ControlOperations, jsonResponse } from './call.ts';
import { flagOf, textOf } from './members.ts';

export const callbackOperations: ControlOperations = {
  async sendCallback(call) {
    const { settings, pipeline, members, session } = call;
    const value = members['body'];
    const body =
      value === undefined ? undefined : { value, offContract: flagOf(members, 'offContract') };
    const wanted = { name: call.path('name'), url: textOf(members, 'url') ?? '', body };
    const opened = await settings.sessions.open(session.id);
    const sent = await pipeline.sendByHand(wanted, opened, settings.callbackHosts);
    const { request, response, number } = sent;
    const { status, headers, body: received } = response;
    return jsonResponse({
      number,
      request: {
        method: request.method,
        url: request.url,
        headers: { ...request.headers },
        ...(request.body !== null && { body: Buffer.from(request.body).toString('utf8') }),
      },
      response: { status, headers: { ...headers }, body: received },
    });
  },
};
