import { advice, type Check, ok } from '../Check.ts';

/** Nobody can use an API without identities, and the usual first one is whoever deploys it. */
export const identities: Check<undefined> = {
  name: 'identities',
  observe: () => Promise.resolve(undefined),
  decide: (_facts, { plan, caller }) => {
    const count = plan.props.identities.length;
    if (count > 0) return ok(`${count} ${count === 1 ? 'identity' : 'identities'} may use the API.`);
    const arn = identityOf(caller.arn);
    const first = [{ arn, username: nameOf(arn), groups: ['system:masters'] }];
    return advice('Set `identities`: without any, every request is answered with 401. You are the one below.', {
      identities: first,
    });
  },
};

/** The role of a session, as `identities` names it: without the role's path, which STS does not report. */
function identityOf(callerArn: string): string {
  const session = /^(arn:[a-z-]+):sts::(\d{12}):assumed-role\/([^/]+)\//.exec(callerArn);
  return session ? `${session[1]}:iam::${session[2]}:role/${session[3]}` : callerArn;
}

function nameOf(arn: string): string {
  return arn.slice(arn.lastIndexOf(arn.includes('/') ? '/' : ':') + 1);
}
