import { Octokit } from '@octokit/rest';
import { createMock } from '../../src/index.ts';
import { publicDocuments, testWithPublicDocuments } from '../support/public-documents.ts';
import { useAccount } from './github/account.ts';
import { writeCode } from './github/code.ts';
import { workOnIssues } from './github/issues.ts';
import { pullAndRelease } from './github/pulls.ts';
import { makeRepositories } from './github/repositories.ts';
import { Script } from './github/script.ts';

/** The calls with a response that the service would not give. */
const unlike: readonly string[] = [
  'create a file',
  'change a file',
  'create a file in a folder',
  'move a branch',
  'report a status of a commit',
  'the statuses of a commit',
  'create a second issue',
  'comment on an issue',
  'the members of a team',
  'search repositories',
];

testWithPublicDocuments('the client of GitHub works with the document of GitHub', async (t) => {
  const mock = await createMock({ document: publicDocuments.github });
  t.teardown(() => mock.close());
  const { url: baseUrl } = await mock.listen({ port: 0, host: '127.0.0.1' });
  const github = new Octokit({ baseUrl, auth: 'token', log: silent });
  const script = new Script();
  const walk = await makeRepositories(script, github, baseUrl);
  await writeCode(walk);
  await workOnIssues(walk);
  await pullAndRelease(walk);
  await useAccount(walk);
  t.is(script.titles.length, 129);
  t.deepEqual(script.wrongStatuses, []);
  t.deepEqual(script.unlike, unlike);
});

const ignore = (): void => {};
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
