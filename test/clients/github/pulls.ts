import type { Walk } from './script.ts';

/** A pull request with reviews, up to its merge, and a release with a file: 22 calls. */
export async function pullAndRelease(walk: Walk): Promise<void> {
  await pull(walk);
  await release(walk);
}

async function pull({ script, github, repo, me }: Walk): Promise<void> {
  const created = await script.call(
    'create a pull request',
    201,
    () =>
      github.pulls.create({
        ...repo,
        title: 'Add mosses',
        body: 'Three of them',
        head: 'mosses',
        base: 'main',
      }),
    (one) =>
      one.title === 'Add mosses' &&
      one.state === 'open' &&
      one.user.login === me &&
      one.head.ref === 'mosses' &&
      one.base.ref === 'main' &&
      one.merged === false &&
      one.html_url.endsWith(`/${one.number}`),
  );
  const number = { ...repo, pull_number: created?.number ?? 1 };
  await script.call(
    'the pull request',
    200,
    () => github.pulls.get(number),
    (one) => one.id === created?.id && one.title === 'Add mosses' && one.body === 'Three of them',
  );
  await script.call(
    'the pull requests',
    200,
    () => github.pulls.list(repo),
    (all) => all.length === 1 && all[0]?.number === created?.number,
  );
  await script.call(
    'change a pull request',
    200,
    () => github.pulls.update({ ...number, title: 'Add four mosses' }),
    (one) => one.title === 'Add four mosses' && one.body === 'Three of them',
  );
  const review = await script.call(
    'review a pull request',
    200,
    () => github.pulls.createReview({ ...number, event: 'APPROVE', body: 'Lovely' }),
    ({ body, state, user }) => body === 'Lovely' && state === 'APPROVED' && user?.login === me,
  );
  await script.call(
    'the reviews',
    200,
    () => github.pulls.listReviews(number),
    (all) => all.length === 1 && all[0]?.id === review?.id,
  );
  await script.call(
    'request a reviewer',
    201,
    () => github.pulls.requestReviewers({ ...number, reviewers: ['hubot'] }),
    (one) => one.requested_reviewers?.some(({ login }) => login === 'hubot') === true,
  );
  await script.call(
    'the requested reviewers',
    200,
    () => github.pulls.listRequestedReviewers(number),
    ({ users }) => users.length === 1 && users[0]?.login === 'hubot',
  );
  await script.call('the files of a pull request', 200, () => github.pulls.listFiles(number));
  await script.call('a pull request that is not merged', 404, () =>
    github.pulls.checkIfMerged(number),
  );
  await script.call(
    'merge a pull request',
    200,
    () => github.pulls.merge({ ...number, merge_method: 'squash' }),
    ({ merged }) => merged === true,
  );
  await script.call('a pull request that is merged', 204, () => github.pulls.checkIfMerged(number));
  await script.call(
    'the merged pull request',
    200,
    () => github.pulls.get(number),
    ({ merged, state, merged_at }) => merged && state === 'closed' && typeof merged_at === 'string',
  );
}

async function release({ script, github, repo, me, baseUrl }: Walk): Promise<void> {
  const created = await script.call(
    'create a release',
    201,
    () => github.repos.createRelease({ ...repo, tag_name: 'v1.0.0', name: 'First ferns' }),
    (one) =>
      one.tag_name === 'v1.0.0' &&
      one.name === 'First ferns' &&
      one.author.login === me &&
      !one.draft &&
      one.assets.length === 0,
  );
  const one = { ...repo, release_id: created?.id ?? 1 };
  await script.call(
    'the release of a tag',
    200,
    () => github.repos.getReleaseByTag({ ...repo, tag: 'v1.0.0' }),
    ({ id, name }) => id === created?.id && name === 'First ferns',
  );
  await script.call(
    'the latest release',
    200,
    () => github.repos.getLatestRelease(repo),
    ({ id, tag_name }) => id === created?.id && tag_name === 'v1.0.0',
  );
  await script.call(
    'the releases',
    200,
    () => github.repos.listReleases(repo),
    (all) => all.length === 1 && all[0]?.id === created?.id,
  );
  await script.call(
    'change a release',
    200,
    () => github.repos.updateRelease({ ...one, body: 'With pictures' }),
    ({ body, tag_name }) => body === 'With pictures' && tag_name === 'v1.0.0',
  );
  const asset = await script.call(
    'upload a file of a release',
    201,
    () =>
      github.repos.uploadReleaseAsset({
        ...one,
        baseUrl,
        name: 'ferns.zip',
        data: 'PK',
        headers: { 'content-type': 'application/zip' },
      }),
    ({ name, size, uploader }) => name === 'ferns.zip' && size === 2 && uploader?.login === me,
  );
  await script.call(
    'the files of a release',
    200,
    () => github.repos.listReleaseAssets(one),
    (all) => all.length === 1 && all[0]?.id === asset?.id,
  );
  await script.call('delete a release', 204, () => github.repos.deleteRelease(one));
  await script.call('a deleted release', 404, () => github.repos.getRelease(one));
}
