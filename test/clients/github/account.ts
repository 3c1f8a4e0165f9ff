import type { Walk } from './script.ts';

/** Stars, gists, webhooks, teams, searches, and the end of the repository: 27 calls. */
export async function useAccount(walk: Walk): Promise<void> {
  await starAndShare(walk);
  await hookAndTeam(walk);
  await searchAndLeave(walk);
}

async function starAndShare({ script, github, repo, me }: Walk): Promise<void> {
  await script.call('star a repository', 204, () =>
    github.activity.starRepoForAuthenticatedUser(repo),
  );
  await script.call('is starred', 204, () =>
    github.activity.checkRepoIsStarredByAuthenticatedUser(repo),
  );
  await script.call(
    'the starred repositories',
    200,
    () => github.activity.listReposStarredByAuthenticatedUser(),
    (all) => all.length === 1 && 'full_name' in (all[0] ?? {}),
  );
  await script.call('unstar a repository', 204, () =>
    github.activity.unstarRepoForAuthenticatedUser(repo),
  );
  await script.call('is not starred any more', 404, () =>
    github.activity.checkRepoIsStarredByAuthenticatedUser(repo),
  );
  const gist = await script.call(
    'create a gist',
    201,
    () =>
      github.gists.create({
        description: 'A fern',
        public: true,
        files: { 'fern.md': { content: '# Fern' } },
      }),
    (one) =>
      one.description === 'A fern' &&
      one.owner?.login === me &&
      one.files?.['fern.md']?.content === '# Fern',
  );
  const gist_id = gist?.id ?? '1';
  await script.call(
    'the gist',
    200,
    () => github.gists.get({ gist_id }),
    (one) => one.id === gist_id && one.files?.['fern.md']?.content === '# Fern',
  );
  await script.call(
    'the gists of the caller',
    200,
    () => github.gists.list(),
    (all) => all.some(({ id }) => id === gist_id),
  );
  await script.call('star a gist', 204, () => github.gists.star({ gist_id }));
  await script.call('is a starred gist', 204, () => github.gists.checkIsStarred({ gist_id }));
  await script.call('delete a gist', 204, () => github.gists.delete({ gist_id }));
  await script.call('a deleted gist', 404, () => github.gists.get({ gist_id }));
}

async function hookAndTeam({ script, github, repo }: Walk): Promise<void> {
  const url = 'https://garden.example/hook';
  const hook = await script.call(
    'create a webhook',
    201,
    () => github.repos.createWebhook({ ...repo, config: { url }, events: ['push'] }),
    (one) => one.config.url === url && one.events.join() === 'push' && one.active,
  );
  const one = { ...repo, hook_id: hook?.id ?? 1 };
  await script.call('ping a webhook', 204, () => github.repos.pingWebhook(one));
  await script.call(
    'the webhooks',
    200,
    () => github.repos.listWebhooks(repo),
    (all) => all.length === 1 && all[0]?.id === hook?.id && all[0]?.config.url === url,
  );
  await script.call('delete a webhook', 204, () => github.repos.deleteWebhook(one));
  const team = await script.call(
    'create a team',
    201,
    () => github.teams.create({ org: 'gardeners', name: 'Fern friends' }),
    ({ name, slug }) => name === 'Fern friends' && slug === 'fern-friends',
  );
  const friends = { org: 'gardeners', team_slug: 'fern-friends' };
  await script.call(
    'a team',
    200,
    () => github.teams.getByName(friends),
    ({ id }) => id === team?.id,
  );
  await script.call(
    'add a member to a team',
    200,
    () => github.teams.addOrUpdateMembershipForUserInOrg({ ...friends, username: 'hubot' }),
    ({ role }) => role === 'member',
  );
  await script.call(
    'the members of a team',
    200,
    () => github.teams.listMembersInOrg(friends),
    (all) => all.length === 1 && all[0]?.login === 'hubot',
  );
}

async function searchAndLeave({ script, github, repo, me }: Walk): Promise<void> {
  await script.call(
    'search repositories',
    200,
    () => github.search.repos({ q: 'fernery' }),
    ({ items, total_count }) => total_count === 1 && items[0]?.full_name === `${me}/fernery`,
  );
  await script.call(
    'search issues',
    200,
    () => github.search.issuesAndPullRequests({ q: `repo:${me}/fernery mosses` }),
    ({ items, total_count }) => items.length === total_count,
  );
  await script.call(
    'an issue in a raw format, by its route',
    200,
    () =>
      github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', {
        ...repo,
        issue_number: 2,
        mediaType: { format: 'raw' },
      }),
    ({ title }) => title === 'Water more often',
  );
  await script.call(
    'the license, with a preview',
    200,
    () =>
      github.request('GET /licenses/{license}', {
        license: 'mit',
        mediaType: { previews: ['drax'] },
      }),
    ({ key }) => key === 'mit',
  );
  await script.call('delete a repository', 204, () => github.repos.delete(repo));
  await script.call('a deleted repository', 404, () => github.repos.get(repo));
  await script.call('the issues of a deleted repository', 404, () =>
    github.issues.listForRepo(repo),
  );
}
