import { type Check, ok, wrong } from '../Check.ts';

/** The version of the region's bootstrap stack; `undefined` if there is none. */
type Version = string | undefined;

/**
 * `cdk deploy` uploads the functions by the bootstrap stack's bucket and roles. The template refuses an older version than it needs: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html
 */
export const bootstrap: Check<Version> = {
  name: 'bootstrap',
  observe: (account, { plan }) => account.parameter(plan.bootstrap.parameter),
  decide: (found, { plan, caller }) => {
    const { parameter, leastVersion } = plan.bootstrap;
    const command = `\`npx cdk bootstrap aws://${caller.account}/${caller.region}\``;
    if (found === undefined) return wrong(`Run ${command}: ${caller.region} has no parameter ${parameter}.`);
    const version = Number(found);
    if (version >= leastVersion) return ok(`Version ${version}; the template needs ${leastVersion}.`);
    return wrong(`Run ${command}: version ${found} is older than ${leastVersion}, which the template needs.`);
  },
};
