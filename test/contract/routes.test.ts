import assert from 'node:assert/strict';
import test from 'ava';
import { fillTemplate, parameterNames, TemplateSegment } from '../../src/contract/path-template.ts';
import { Routes } from '../../src/contract/routes.ts';
import { fc, holds } from '../support/properties.ts';

/** Routes of which each target is its own method and template. */
function routesOf(...templates: readonly string[]): Routes<string> {
  const routes = new Routes<string>();
  for (const entry of templates) {
    const [, method = 'GET', template = ''] = /^(?:([A-Z]+) )?(.*)$/.exec(entry) ?? [];
    routes.add(template, method, entry);
  }
  return routes;
}

/** @returns the template that a GET of this path leads to */
function find(routes: Routes<string>, path: string, method = 'GET'): string | undefined {
  return routes.find(path, method)?.methods.get(method);
}

function parametersOf(routes: Routes<string>, path: string): Record<string, string> | undefined {
  const match = routes.find(path, 'GET');
  return match && Object.fromEntries(match.parameters);
}

test('a concrete path is preferred to a template, whatever their order', (t) => {
  for (const templates of [
    ['/plants/{id}', '/plants/mine'],
    ['/plants/mine', '/plants/{id}'],
  ]) {
    const routes = routesOf(...templates);
    t.is(find(routes, '/plants/mine'), '/plants/mine');
    t.is(find(routes, '/plants/7'), '/plants/{id}');
    t.is(find(routes, '/plants/mine2'), '/plants/{id}');
  }
});

test('a template is used where the concrete path does not match the rest', (t) => {
  const routes = routesOf('/plants/mine/leaves', '/plants/{id}/roots', '/{kind}/mine/stem');
  t.is(find(routes, '/plants/mine/leaves'), '/plants/mine/leaves');
  t.is(find(routes, '/plants/mine/roots'), '/plants/{id}/roots');
  t.is(find(routes, '/plants/mine/stem'), '/{kind}/mine/stem');
  t.is(find(routes, '/plants/mine'), undefined);
});

test('a path that has the method is preferred to a more concrete one without it', (t) => {
  const routes = routesOf('GET /plants/mine', 'DELETE /plants/{id}');
  t.is(find(routes, '/plants/mine', 'DELETE'), 'DELETE /plants/{id}');
  t.is(find(routes, '/plants/mine', 'GET'), 'GET /plants/mine');
  t.deepEqual([...(routes.find('/plants/mine', 'PATCH')?.methods.keys() ?? [])], ['GET']);
});

test('one path has all of its methods', (t) => {
  const routes = routesOf('GET /plants/{id}', 'PUT /plants/{id}', 'POST /plants');
  t.deepEqual([...(routes.find('/plants/1', 'POST')?.methods.keys() ?? [])], ['GET', 'PUT']);
});

test('case and a trailing slash of a path matter', (t) => {
  const routes = routesOf('/plants', '/Leaves/', '/');
  t.is(find(routes, '/plants'), '/plants');
  t.is(find(routes, '/Plants'), undefined);
  t.is(find(routes, '/plants/'), undefined);
  t.is(find(routes, '/Leaves/'), '/Leaves/');
  t.is(find(routes, '/Leaves'), undefined);
  t.is(find(routes, '/'), '/');
  t.is(find(routes, '//plants'), undefined);
});

test('a path means the one with a last slash for the methods that it does not have', (t) => {
  const routes = routesOf('POST /plants', 'GET /plants/', 'GET /beds/{id}', 'PUT /beds/{id}/');
  t.deepEqual([...(routes.find('/plants', 'GET')?.methods.keys() ?? [])], ['GET']);
  t.is(routes.find('/beds/7', 'PUT')?.parameters.get('id'), '7');
  t.deepEqual([...(routes.find('/plants', 'PUT')?.methods.keys() ?? [])], ['POST']);
});

test('the case of a method matters', (t) => {
  t.is(find(routesOf('GET /plants'), '/plants', 'get'), undefined);
});

test('a parameter never contains a slash and is never empty', (t) => {
  const routes = routesOf('/plants/{id}');
  t.is(find(routes, '/plants/1/2'), undefined);
  t.is(find(routes, '/plants/'), undefined);
  t.is(find(routes, '/plants'), undefined);
});

test('an encoded slash is part of the parameter', (t) => {
  const routes = routesOf('/files/{path}', '/files/{path}/meta');
  t.deepEqual(parametersOf(routes, '/files/a%2Fb%2fc'), { path: 'a/b/c' });
  t.deepEqual(parametersOf(routes, '/files/a%2Fb/meta'), { path: 'a/b' });
});

test('a segment can be part literal, part template', (t) => {
  const routes = routesOf(
    '/report/{id}.json',
    '/report/{id}',
    '/map/{x},{y}',
    '/v{major}.{minor}/a',
  );
  t.deepEqual(parametersOf(routes, '/report/7.json'), { id: '7' });
  t.is(find(routes, '/report/7.json'), '/report/{id}.json');
  t.is(find(routes, '/report/7.xml'), '/report/{id}');
  t.is(find(routes, '/report/.json'), '/report/{id}');
  t.deepEqual(parametersOf(routes, '/map/1,2'), { x: '1', y: '2' });
  t.deepEqual(parametersOf(routes, '/v10.21/a'), { major: '10', minor: '21' });
  t.is(find(routes, '/map/1'), undefined);
});

test('characters with a meaning in regular expressions match literally', (t) => {
  const routes = routesOf('/a.b/{x}.c', '/(a|b)*/[{x}]', '/$^/{x}+', '/plants:batch', '/p-{x}?');
  t.is(find(routes, '/aXb/1.c'), undefined);
  t.is(find(routes, '/a.b/1Xc'), undefined);
  t.is(find(routes, '/a.b/1.c'), '/a.b/{x}.c');
  t.is(find(routes, '/(a|b)*/[1]'), '/(a|b)*/[{x}]');
  t.is(find(routes, '/a/[1]'), undefined);
  t.is(find(routes, '/$^/1+'), '/$^/{x}+');
  t.is(find(routes, '/plants:batch'), '/plants:batch');
});

test('an unnecessarily percent-encoded path is the same path', (t) => {
  const routes = routesOf('/plants', '/caf%C3%A9', '/a b/{x}');
  t.is(find(routes, '/pl%61nts'), '/plants');
  t.is(find(routes, '/caf%c3%a9'), '/caf%C3%A9');
  t.is(find(routes, '/a%20b/1'), '/a b/{x}');
});

test('a parameter is decoded once, and a plus stays a plus', (t) => {
  const routes = routesOf('/plants/{id}');
  t.deepEqual(parametersOf(routes, '/plants/%2541'), { id: '%41' });
  t.deepEqual(parametersOf(routes, '/plants/a+b'), { id: 'a+b' });
  t.deepEqual(parametersOf(routes, '/plants/%F0%9F%8C%B5%0A'), { id: '🌵\n' });
});

test('parameters have the names of the matched template', (t) => {
  const routes = routesOf('/a/{x}/b/{y}', '/a/{z}');
  t.deepEqual(parametersOf(routes, '/a/1/b/2'), { x: '1', y: '2' });
  t.deepEqual(parametersOf(routes, '/a/1'), { z: '1' });
});

test('two templates that differ only in names are one path', (t) => {
  const routes = new Routes<string>();
  t.is(routes.add('/plants/{id}', 'GET', 'first'), undefined);
  t.is(routes.add('/plants/{plantId}', 'GET', 'second'), 'first');
  t.is(routes.add('/plants/{plantId}', 'PUT', 'third'), undefined);
  t.is(routes.add('/plants/{id}.json', 'GET', 'fourth'), undefined);
  t.is(find(routes, '/plants/1'), 'first');
});

test('a path can have the name of an inherited member', (t) => {
  const routes = routesOf('/constructor', '/__proto__/{toString}');
  t.is(find(routes, '/constructor'), '/constructor');
  t.is(find(routes, '/toString'), undefined);
  t.deepEqual(parametersOf(routes, '/__proto__/1'), { toString: '1' });
});

test('a path with a malformed or non-UTF-8 escape matches nothing', (t) => {
  const routes = routesOf('/plants', '/plants/{id}', '/{any}/leaves');
  for (const path of [
    '/plants/%E0%A4%A',
    '/plants/%G0',
    '/plants/%',
    '/plants/%FF',
    '/%FF/leaves',
  ]) {
    t.is(routes.find(path, 'GET'), undefined, path);
  }
});

test('no bytes in a path make the search throw', (t) => {
  const routes = routesOf('/plants/{id}', '/report/{id}.json', '/a/{x},{y}', '/{any}');
  const escapes = fc.oneof(
    fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
    fc.constantFrom('%', '%%', '%G0', '%E0%A4%A', '/', ',', '.json', '{id}', '..', 'plants'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const property = fc.property(fc.array(escapes, { maxLength: 12 }), (parts) => {
    const path = `/${parts.join('')}`;
    const match = routes.find(path, 'GET');
    assert.ok(match === undefined || match.methods.has('GET'));
  });
  holds(t, property, 5_000);
});

test('an encoded parameter is decoded to its original', (t) => {
  const routes = routesOf('/plants/{id}/leaves/{leaf}');
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  const property = fc.property(text, text, (id, leaf) => {
    const path = `/plants/${encodeURIComponent(id)}/leaves/${encodeURIComponent(leaf)}`;
    assert.deepEqual(parametersOf(routes, path), { id, leaf });
  });
  holds(t, property, 1_000);
});

test('the time to match grows linearly with the path', (t) => {
  const routes = routesOf('/{a}-{b}-{c}-{d}', `/${'{x}/'.repeat(200)}end`);
  t.is(find(routes, `/${'-'.repeat(400)}/x`), undefined);
  t.is(find(routes, `/${'a/'.repeat(20_000)}end`), undefined);
  t.is(find(routes, `/${'a/'.repeat(200)}end`), `/${'{x}/'.repeat(200)}end`);
});

test('a long segment is matched quickly, however many parameters its template has', (t) => {
  const routes = routesOf('/{year}-{month}-{day}-{hour}.json');
  const started = process.cpuUsage();
  t.is(find(routes, `/${'-'.repeat(8_000)}`), undefined);
  t.true(process.cpuUsage(started).user < 5_000_000);
});

test('parameters of a segment match like a lazy regular expression', (t) => {
  const literals = fc.array(fc.constantFrom('', '-', '--', 'a', '.a', 'a-a'), {
    minLength: 2,
    maxLength: 4,
  });
  const segments = fc.string({ unit: fc.constantFrom('a', '-', '.', '\n'), maxLength: 12 });
  const property = fc.property(literals, segments, (list, segment) => {
    const pattern = list.map((literal) => literal.replace('.', '\\.')).join('(.+?)');
    const expected = new RegExp(`^${pattern}$`, 's').exec(segment)?.slice(1);
    assert.deepEqual(new TemplateSegment(list.join('{name}')).capture(segment), expected);
  });
  holds(t, property, 5_000);
});

test('each parameter of a path is filled, and nothing else, whatever braces it has', (t) => {
  const templates = fc.array(fc.constantFrom('{', '}', '/', 'id', 'plants'), { maxLength: 12 });
  const property = fc.property(templates, (parts) => {
    const template = parts.join('');
    const filled: string[] = [];
    const path = fillTemplate(template, (name) => {
      filled.push(name);
      return `{${name}}`;
    });
    assert.equal(path, template);
    assert.deepEqual(filled, parameterNames(template));
  });
  holds(t, property, 5_000);
});
