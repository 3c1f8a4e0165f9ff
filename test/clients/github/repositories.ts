import type { Octokit } from '@octokit/rest';
import type { Script, Walk } from './script.ts';

/** Makes repositories, of the caller and of an organization: 23 calls. */
export async function makeRepositories(
  script: Script,
  github: Octokit,
  baseUrl: string,
): Promise<Walk> {
  const user = await script.call(
    'the caller',
    200,
    () => github.users.getAuthenticated(),
    ({ login, type }) => login !== '' && type === 'User',
  );
  const me = user?.login ?? 'octocat';
  await script.call(
    'the caller under their name',
    200,
    () => github.users.getByUsername({ username: me }),
    ({ login, id }) => login === me && id === user?.id,
  );
  await script.call(
    'change the caller',
    200,
    () => github.users.updateAuthenticated({ bio: 'Grows ferns' }),
    ({ login, bio }) => login === me && bio === 'Grows ferns',
  );
  await script.call(
    'the changed caller',
    200,
    () => github.users.getAuthenticated(),
    ({ login, bio }) => login === me && bio === 'Grows ferns',
  );
  const repo = { owner: me, repo: 'fernery' };
  const created = await script.call(
    'create a repository of the caller',
    201,
    () => github.repos.createForAuthenticatedUser({ name: 'fernery', description: 'Ferns' }),
    (one) =>
      one.name === 'fernery' &&
      one.full_name === `${me}/fernery` &&
      one.owner.login === me &&
      one.owner.id === user?.id &&
      one.html_url.endsWith(`/${me}/fernery`) &&
      one.url.endsWith(`/repos/${me}/fernery`) &&
      !one.private &&
      one.stargazers_count === 0,
  );
  await script.call(
    'the repository of the caller',
    200,
    () => github.repos.get(repo),
    (one) =>
      one.id === created?.id &&
      one.full_name === `${me}/fernery` &&
      one.owner.login === me &&
      one.description === 'Ferns',
  );
  await script.call(
    'create a repository of an organization',
    201,
    () => github.repos.createInOrg({ org: 'gardeners', name: 'tools', private: true }),
    (one) =>
      one.full_name === 'gardeners/tools' &&
      one.owner.login === 'gardeners' &&
      one.private &&
      one.id !== created?.id,
  );
  await script.call(
    'the repository of the organization',
    200,
    () => github.repos.get({ owner: 'gardeners', repo: 'tools' }),
    (one) => one.full_name === 'gardeners/tools' && one.private,
  );
  await script.call(
    'change a repository',
    200,
    () => github.repos.update({ ...repo, description: 'Ferns and mosses', has_wiki: false }),
    (one) => one.id === created?.id && one.description === 'Ferns and mosses' && !one.has_wiki,
  );
  await script.call(
    'the changed repository',
    200,
    () => github.repos.get(repo),
    (one) => one.description === 'Ferns and mosses' && one.name === 'fernery',
  );
  await script.call(
    'the repositories of the caller',
    200,
    () => github.repos.listForAuthenticatedUser({ per_page: 100 }),
    (all) => all.some((one) => one.id === created?.id && one.description === 'Ferns and mosses'),
  );
  await script.call(
    'the repositories of an organization',
    200,
    () => github.repos.listForOrg({ org: 'gardeners' }),
    (all) => all.length === 1 && all[0]?.full_name === 'gardeners/tools',
  );
  await script.call(
    'the repositories of a user',
    200,
    () => github.repos.listForUser({ username: me, per_page: 100 }),
    (all) =>
      all.some(({ name }) => name === 'fernery') && all.every((one) => one.owner.login === me),
  );
  await script.call('an unknown repository', 404, () =>
    github.repos.get({ owner: me, repo: 'orchids' }),
  );
  await script.call('create a repository without a name', 422, () =>
    // @ts-expect-error the type wants a name
    github.repos.createForAuthenticatedUser({ description: 'Orchids' }),
  );
  await script.call('a repository with a name that is taken', 422, () =>
    github.repos.createForAuthenticatedUser({ name: 'fernery' }),
  );
  await script.call(
    'set the topics',
    200,
    () => github.repos.replaceAllTopics({ ...repo, names: ['ferns', 'plants'] }),
    ({ names }) => names.join() === 'ferns,plants',
  );
  await script.call(
    'the topics',
    200,
    () => github.repos.getAllTopics(repo),
    ({ names }) => names.join() === 'ferns,plants',
  );
  await script.call(
    'add a collaborator',
    201,
    () => github.repos.addCollaborator({ ...repo, username: 'hubot' }),
    (one) => one?.invitee?.login === 'hubot' && one.inviter?.login === me,
  );
  await script.call('is a collaborator', 204, () =>
    github.repos.checkCollaborator({ ...repo, username: 'hubot' }),
  );
  await script.call(
    'the collaborators',
    200,
    () => github.repos.listCollaborators(repo),
    (all) => all.some(({ login }) => login === 'hubot'),
  );
  await script.call('remove a collaborator', 204, () =>
    github.repos.removeCollaborator({ ...repo, username: 'hubot' }),
  );
  await script.call('is no collaborator any more', 404, () =>
    github.repos.checkCollaborator({ ...repo, username: 'hubot' }),
  );
  return { script, github, baseUrl, me, repo };
}
