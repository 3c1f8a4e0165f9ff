import fc from 'fast-check';
import { compileLinear } from './src/contract/linear-pattern.ts';
import { isUnambiguous } from './src/contract/pattern-ambiguity.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const src = readFileSync('./test/patterns.test.ts', 'utf8');
const gen = src.slice(src.indexOf('const items ='), src.indexOf("test('RE2 says"));
const js = require('typescript') ? gen : gen;
const clean = gen.replace('fc.letrec<{ pattern: string; part: string }>', 'fc.letrec');
const { sources, texts } = new Function('fc', clean + '; return {sources, texts};')(fc);
let n = 0, tr = 0;
const end = Date.now() + 60_000;
while (Date.now() < end) {
  for (const [s, f, t] of fc.sample(fc.tuple(sources, fc.constantFrom('u', ''), texts), 2000) as any) {
    let p; try { p = new RegExp(s, f); } catch { continue; }
    n++;
    const l = compileLinear(p); if (!l) continue; tr++;
    for (const x of [t, t + t, t.slice(1)]) if (l.test(x) !== p.test(x)) { console.log('DIFF', p, JSON.stringify(x)); }
  }
}
console.log(n, tr);
