import type { Walk } from './script.ts';

/** Labels, milestones, and the life of an issue: 37 calls. */
export async function workOnIssues(walk: Walk): Promise<void> {
  await prepareIssues(walk);
  await openIssues(walk);
  await discussIssue(walk);
  await closeIssue(walk);
}

async function prepareIssues({ script, github, repo, me }: Walk): Promise<void> {
  await script.call(
    'create a label',
    201,
    () => github.issues.createLabel({ ...repo, name: 'pest', color: 'd73a4a' }),
    ({ name, color }) => name === 'pest' && color === 'd73a4a',
  );
  await script.call(
    'a label',
    200,
    () => github.issues.getLabel({ ...repo, name: 'pest' }),
    ({ name, color }) => name === 'pest' && color === 'd73a4a',
  );
  await script.call(
    'rename a label',
    200,
    () => github.issues.updateLabel({ ...repo, name: 'pest', new_name: 'pests' }),
    ({ name, color }) => name === 'pests' && color === 'd73a4a',
  );
  await script.call(
    'the labels of a repository',
    200,
    () => github.issues.listLabelsForRepo(repo),
    (all) => all.some(({ name }) => name === 'pests') && all.every(({ name }) => name !== 'pest'),
  );
  await script.call(
    'create a milestone',
    201,
    () => github.issues.createMilestone({ ...repo, title: 'Spring' }),
    (one) =>
      one.number === 1 &&
      one.state === 'open' &&
      one.open_issues === 0 &&
      one.creator?.login === me,
  );
  await script.call(
    'the milestones',
    200,
    () => github.issues.listMilestones(repo),
    (all) => all.length === 1 && all[0]?.title === 'Spring',
  );
  await script.call(
    'change a milestone',
    200,
    () => github.issues.updateMilestone({ ...repo, milestone_number: 1, title: 'Early spring' }),
    ({ title, number }) => title === 'Early spring' && number === 1,
  );
}

async function openIssues({ script, github, repo, me }: Walk): Promise<void> {
  const path = `/${repo.owner}/${repo.repo}/issues/1`;
  await script.call(
    'create an issue',
    201,
    () =>
      github.issues.create({
        ...repo,
        title: 'Fronds turn brown',
        body: 'Only at the tips',
        labels: ['pests'],
        assignees: [me],
        milestone: 1,
      }),
    (one) =>
      one.number === 1 &&
      one.state === 'open' &&
      one.user?.login === me &&
      one.comments === 0 &&
      one.closed_at === null &&
      one.url.endsWith(`/repos${path}`) &&
      one.html_url.endsWith(path) &&
      one.labels.map((label) => (typeof label === 'string' ? label : label.name)).join() ===
        'pests' &&
      one.assignees?.map(({ login }) => login).join() === me &&
      one.milestone?.title === 'Early spring',
  );
  await script.call(
    'the issue',
    200,
    () => github.issues.get({ ...repo, issue_number: 1 }),
    (one) =>
      one.title === 'Fronds turn brown' &&
      one.body === 'Only at the tips' &&
      one.user?.login === me,
  );
  await script.call(
    'create a second issue',
    201,
    () => github.issues.create({ ...repo, title: 'Water more often' }),
    (one) => one.number === 2 && one.labels.length === 0 && one.assignees?.length === 0,
  );
  await script.call(
    'create an issue in another repository',
    201,
    () => github.issues.create({ owner: 'gardeners', repo: 'tools', title: 'Sharpen the spade' }),
    (one) => one.number === 1 && one.html_url.endsWith('/gardeners/tools/issues/1'),
  );
  await script.call(
    'the issues of a repository',
    200,
    () => github.issues.listForRepo(repo),
    (all) =>
      all.length === 2 &&
      all.some(({ title }) => title === 'Fronds turn brown') &&
      all.some(({ title }) => title === 'Water more often'),
  );
  await script.call('create an issue without a title', 422, () =>
    // @ts-expect-error the type wants a title
    github.issues.create({ ...repo, body: 'No title' }),
  );
  await script.call('an issue that does not exist', 404, () =>
    github.issues.get({ ...repo, issue_number: 999 }),
  );
  await script.call(
    'change the title of an issue',
    200,
    () => github.issues.update({ ...repo, issue_number: 1, title: 'Fronds are brown' }),
    (one) => one.title === 'Fronds are brown' && one.body === 'Only at the tips',
  );
}

async function discussIssue({ script, github, repo, me }: Walk): Promise<void> {
  const issue = { ...repo, issue_number: 1 };
  await github.issues.createLabel({ ...repo, name: 'urgent', color: 'ff0000' }).catch(() => {});
  await script.call(
    'add a label to an issue',
    200,
    () => github.issues.addLabels({ ...issue, labels: ['urgent'] }),
    (all) => all.map(({ name }) => name).join() === 'pests,urgent',
  );
  await script.call(
    'the labels of an issue',
    200,
    () => github.issues.listLabelsOnIssue(issue),
    (all) => all.map(({ name }) => name).join() === 'pests,urgent' && all[1]?.color === 'ff0000',
  );
  await script.call(
    'remove a label from an issue',
    200,
    () => github.issues.removeLabel({ ...issue, name: 'urgent' }),
    (all) => all.map(({ name }) => name).join() === 'pests',
  );
  await script.call(
    'the issue with its labels',
    200,
    () => github.issues.get(issue),
    ({ labels }) =>
      labels.map((one) => (typeof one === 'string' ? one : one.name)).join() === 'pests',
  );
  await script.call(
    'add an assignee',
    201,
    () => github.issues.addAssignees({ ...issue, assignees: ['hubot'] }),
    ({ assignees }) => assignees?.map(({ login }) => login).join() === `${me},hubot`,
  );
  await script.call(
    'remove an assignee',
    200,
    () => github.issues.removeAssignees({ ...issue, assignees: [me] }),
    ({ assignees }) => assignees?.map(({ login }) => login).join() === 'hubot',
  );
  const comment = await script.call(
    'comment on an issue',
    201,
    () => github.issues.createComment({ ...issue, body: 'Too much sun?' }),
    (one) =>
      one.body === 'Too much sun?' &&
      one.user?.login === me &&
      one.issue_url.endsWith(`/repos/${repo.owner}/${repo.repo}/issues/1`),
  );
  const comment_id = comment?.id ?? 1;
  await script.call(
    'the comments on an issue',
    200,
    () => github.issues.listComments(issue),
    (all) => all.length === 1 && all[0]?.id === comment?.id,
  );
  await script.call(
    'the issue with a comment',
    200,
    () => github.issues.get(issue),
    ({ comments }) => comments === 1,
  );
  await script.call(
    'a comment',
    200,
    () => github.issues.getComment({ ...repo, comment_id }),
    ({ body, user }) => body === 'Too much sun?' && user?.login === me,
  );
  await script.call(
    'change a comment',
    200,
    () => github.issues.updateComment({ ...repo, comment_id, body: 'Too little water?' }),
    ({ body, id }) => body === 'Too little water?' && id === comment?.id,
  );
  await script.call('delete a comment', 204, () =>
    github.issues.deleteComment({ ...repo, comment_id }),
  );
  await script.call('a deleted comment', 404, () =>
    github.issues.getComment({ ...repo, comment_id }),
  );
  await script.call(
    'react to an issue',
    201,
    () => github.reactions.createForIssue({ ...issue, content: 'heart' }),
    ({ content, user }) => content === 'heart' && user?.login === me,
  );
}

async function closeIssue({ script, github, repo }: Walk): Promise<void> {
  const issue = { ...repo, issue_number: 1 };
  await script.call('lock an issue', 204, () =>
    github.issues.lock({ ...issue, lock_reason: 'resolved' }),
  );
  await script.call(
    'a locked issue',
    200,
    () => github.issues.get(issue),
    ({ locked }) => locked === true,
  );
  await script.call('unlock an issue', 204, () => github.issues.unlock(issue));
  await script.call(
    'close an issue',
    200,
    () => github.issues.update({ ...issue, state: 'closed', state_reason: 'completed' }),
    (one) =>
      one.state === 'closed' &&
      one.state_reason === 'completed' &&
      typeof one.closed_at === 'string' &&
      one.locked === false,
  );
  await script.call(
    'the closed issues',
    200,
    () => github.issues.listForRepo({ ...repo, state: 'closed' }),
    (all) => all.length === 1 && all[0]?.number === 1,
  );
  await script.call(
    'the open issues',
    200,
    () => github.issues.listForRepo({ ...repo, state: 'open' }),
    (all) => all.length === 1 && all[0]?.number === 2,
  );
  for (const number of [3, 4, 5]) {
    await github.issues.create({ ...repo, title: `Task ${number}` }).catch(() => {});
  }
  await script.call(
    'the first page of issues',
    200,
    () => github.issues.listForRepo({ ...repo, state: 'all', per_page: 2 }),
    (all, { link }) => all.length === 2 && /[?&]page=2\b[^>]*>; rel="next"/.test(String(link)),
  );
  await script.call(
    'all issues, page by page',
    200,
    async () => {
      const data = await github.paginate(github.issues.listForRepo, {
        ...repo,
        state: 'all',
        per_page: 2,
      });
      return { status: 200, data, headers: {} };
    },
    (all) => new Set(all.map(({ number }) => number)).size === 5 && all.length === 5,
  );
}
