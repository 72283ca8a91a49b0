import { RUNTIMES } from '../../cdk/nodeRuntime.ts';
import { type Check, ok, wrong } from '../Check.ts';

/** New runtimes come to some regions later: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html */
export const runtime: Check<boolean> = {
  name: 'runtime',
  observe: (account, { plan }) => account.knowsRuntime(plan.props.runtime),
  decide: (isKnown, { plan, caller }) => {
    const { runtime: wanted } = plan.props;
    if (isKnown) return ok(`Lambda in ${caller.region} knows ${wanted}.`);
    const other = RUNTIMES.find((one) => one !== wanted);
    return wrong(`Set \`runtime: "${other}"\`: Lambda in ${caller.region} does not know ${wanted}.`, {
      runtime: other,
    });
  },
};
