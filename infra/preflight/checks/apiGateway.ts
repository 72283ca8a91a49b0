import type { ApiGatewayAccount } from '../AccountReads.ts';
import { advice, type Check, type Deployment, ok, type Verdict, wrong } from '../Check.ts';

/** A role of the stack is called after the stack, its logical id and some letters. CloudFormation shortens the name of the stack if the whole would be too long for a role. */
const OWN_ROLE = '-ApiCloudWatchRole';
const SHORTENED = 24;

/**
 * API Gateway writes logs by one role for all APIs of an account and region, and refuses a stage with logs without it:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
 */
export const logRole: Check<ApiGatewayAccount> = {
  name: 'API logs',
  observe: (account) => account.apiGateway(),
  decide: decideLogRole,
};

export function decideLogRole({ logRoleArn }: ApiGatewayAccount, { plan, caller }: Deployment): Verdict {
  const { accessLogs, apiGatewayAccount } = plan.props;
  const set = { apiGatewayAccount: 'ifNone' };
  if (logRoleArn === undefined) {
    if (apiGatewayAccount !== false)
      return ok(`API Gateway has no role for logs in ${caller.region}: the stack sets one.`);
    if (!accessLogs) return ok('API Gateway has no role for logs, and the stack writes none.');
    return wrong("Set `apiGatewayAccount: 'ifNone'`: API Gateway has no role for logs, which `accessLogs` need.", set);
  }
  if (apiGatewayAccount !== true) return ok(`API Gateway has a role for logs, which stays: ${logRoleArn}.`);
  if (isOwn(logRoleArn, plan.stackName)) return ok('API Gateway has the role for logs of this stack.');
  return advice(
    `Set \`apiGatewayAccount: 'ifNone'\`: API Gateway has the role ${logRoleArn} for logs already, and the stack would replace it for all APIs of the region.`,
    set,
  );
}

function isOwn(roleArn: string, stackName: string): boolean {
  const role = roleArn.slice(roleArn.lastIndexOf('/') + 1);
  return [stackName, stackName.slice(0, SHORTENED)].some((name) => role.startsWith(`${name}${OWN_ROLE}`));
}

/** The account's own bounds apply before those of a stage: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html */
export const throttling: Check<ApiGatewayAccount> = {
  name: 'API requests',
  observe: (account) => account.apiGateway(),
  decide: ({ throttle }, { plan }) => {
    const { rateLimit, burstLimit } = plan.props.throttling;
    if (!throttle) return ok(`The stack takes ${rateLimit} requests a second; the account names no bound.`);
    const has = `the account takes ${throttle.rateLimit} requests a second, and ${throttle.burstLimit} at once`;
    if (rateLimit <= throttle.rateLimit && burstLimit <= throttle.burstLimit) {
      return ok(`The stack takes ${rateLimit} requests a second; ${has}.`);
    }
    const set = {
      rateLimit: Math.min(rateLimit, throttle.rateLimit),
      burstLimit: Math.min(burstLimit, throttle.burstLimit),
    };
    return advice(`Set \`throttling: ${JSON.stringify(set)}\`: ${has}, for all its APIs together.`, {
      throttling: set,
    });
  },
};
