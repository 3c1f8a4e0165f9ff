import { base64, type Walk } from './script.ts';

const sha = 'aa218f56b14c9653891f9e74264a383fa43fefbd';
const other = 'bb218f56b14c9653891f9e74264a383fa43fefbd';

/** Writes files, references and commits: 20 calls. */
export async function writeCode({ script, github, repo }: Walk): Promise<void> {
  const readme = { ...repo, path: 'README.md' };
  const made = await script.call(
    'create a file',
    201,
    () =>
      github.repos.createOrUpdateFileContents({
        ...readme,
        message: 'Add a README',
        content: base64('# Fernery\n'),
      }),
    ({ content, commit }) =>
      content?.path === 'README.md' &&
      content.name === 'README.md' &&
      commit.message === 'Add a README',
  );
  await script.call(
    'the content of a file',
    200,
    () => github.repos.getContent(readme),
    (one) =>
      !Array.isArray(one) &&
      'content' in one &&
      Buffer.from(one.content, 'base64').toString() === '# Fernery\n' &&
      one.sha === made?.content?.sha,
  );
  await script.call(
    'change a file',
    200,
    () =>
      github.repos.createOrUpdateFileContents({
        ...readme,
        message: 'Name the ferns',
        content: base64('# Ferns\n'),
        sha: made?.content?.sha ?? sha,
      }),
    ({ content, commit }) => content?.path === 'README.md' && commit.message === 'Name the ferns',
  );
  await script.call('the content in the raw format', 200, () =>
    github.repos.getContent({ ...readme, mediaType: { format: 'raw' } }),
  );
  await script.call(
    'create a file in a folder',
    201,
    () =>
      github.repos.createOrUpdateFileContents({
        ...repo,
        path: 'src/ferns.ts',
        message: 'List the ferns',
        content: base64('export const ferns = [];\n'),
      }),
    ({ content }) => content?.path === 'src/ferns.ts' && content.name === 'ferns.ts',
  );
  await script.call('delete a file', 200, () =>
    github.repos.deleteFile({ ...readme, message: 'Remove the README', sha }),
  );
  await script.call('a deleted file', 404, () => github.repos.getContent(readme));
  await script.call(
    'create a branch',
    201,
    () => github.git.createRef({ ...repo, ref: 'refs/heads/mosses', sha }),
    ({ ref, object }) => ref === 'refs/heads/mosses' && object.sha === sha,
  );
  await script.call(
    'the reference of a branch',
    200,
    () => github.git.getRef({ ...repo, ref: 'heads/mosses' }),
    ({ ref, object }) => ref === 'refs/heads/mosses' && object.sha === sha,
  );
  await script.call(
    'move a branch',
    200,
    () => github.git.updateRef({ ...repo, ref: 'heads/mosses', sha: other, force: true }),
    ({ ref, object }) => ref === 'refs/heads/mosses' && object.sha === other,
  );
  await script.call('the branches', 200, () => github.repos.listBranches(repo), Array.isArray);
  await script.call(
    'a branch',
    200,
    () => github.repos.getBranch({ ...repo, branch: 'main' }),
    ({ name }) => name === 'main',
  );
  await script.call('delete a branch', 204, () =>
    github.git.deleteRef({ ...repo, ref: 'heads/mosses' }),
  );
  await script.call('the reference of a deleted branch', 404, () =>
    github.git.getRef({ ...repo, ref: 'heads/mosses' }),
  );
  const blob = await script.call(
    'create a blob',
    201,
    () => github.git.createBlob({ ...repo, content: 'Maidenhair', encoding: 'utf-8' }),
    (one) => one.url.endsWith(`/git/blobs/${one.sha}`),
  );
  await script.call(
    'the blob',
    200,
    () => github.git.getBlob({ ...repo, file_sha: blob?.sha ?? sha }),
    (one) => one.sha === blob?.sha,
  );
  const commit = await script.call(
    'create a commit',
    201,
    () => github.git.createCommit({ ...repo, message: 'Add a fern', tree: sha, parents: [other] }),
    (one) => one.message === 'Add a fern' && one.tree.sha === sha && one.parents[0]?.sha === other,
  );
  await script.call(
    'the commit',
    200,
    () => github.git.getCommit({ ...repo, commit_sha: commit?.sha ?? sha }),
    (one) => one.sha === commit?.sha && one.message === 'Add a fern',
  );
  await script.call(
    'report a status of a commit',
    201,
    () => github.repos.createCommitStatus({ ...repo, sha, state: 'success', context: 'ci/test' }),
    ({ state, context }) => state === 'success' && context === 'ci/test',
  );
  await script.call(
    'the statuses of a commit',
    200,
    () => github.repos.listCommitStatusesForRef({ ...repo, ref: sha }),
    (all) => all.some(({ context }) => context === 'ci/test'),
  );
}
