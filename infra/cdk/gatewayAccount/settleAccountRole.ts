/** API Gateway's settings of the account, which all APIs of a region share. */
export interface GatewayAccount {
  /** The ARN of the role by which API Gateway writes logs; absent if the account has none. */
  role(): Promise<string | undefined>;
  /** `refused`: API Gateway cannot use the role, which it says of a new one until IAM has told all of its machines of it; or the settings were changed a moment ago. */
  setRole(arn: string): Promise<'set' | 'refused'>;
}

/** IAM needs seconds. An account may change its settings once in 20 seconds: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const ATTEMPTS = 5;
const PAUSE_MS = 21_000;

/** Gives the account this role for API Gateway's logs, unless it has one already: that may be another team's. Throws if API Gateway refuses it for more than a minute. */
export async function settleAccountRole(
  account: GatewayAccount,
  roleArn: string,
  pause: (ms: number) => Promise<unknown>,
): Promise<'kept' | 'set'> {
  if ((await account.role()) !== undefined) return 'kept';
  for (let attempt = 1; (await account.setRole(roleArn)) !== 'set'; attempt += 1) {
    if (attempt === ATTEMPTS) throw new Error(`API Gateway does not take the role ${roleArn}`);
    await pause(PAUSE_MS);
  }
  return 'set';
}
