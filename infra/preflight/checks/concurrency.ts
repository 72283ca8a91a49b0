import { NEW_ACCOUNT_CONCURRENCY, planConcurrency, UNRESERVED } from '../../cdk/planConcurrency.ts';
import type { AccountConcurrency, AccountReads, TemplateResources } from '../AccountReads.ts';
import { advice, type Check, type Deployment, ok, type Verdict, wrong } from '../Check.ts';
import { resourcesOfType } from '../Plan.ts';

interface ConcurrencyFacts extends AccountConcurrency {
  /** What the functions of the deployed stack have reserved. */
  readonly ownReserved: number;
}

const ASK = 'ask for a higher quota "Concurrent executions" of AWS Lambda (L-B99A9384)';

/**
 * The knob `accountConcurrency` against what the account has. Other functions may have reserved a part, which this stack cannot use. Lambda refuses a reservation that leaves
 * less than 100 unreserved: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
export const concurrency: Check<ConcurrencyFacts> = {
  name: 'concurrency',
  async observe(account, { plan }) {
    const limits = await account.concurrency();
    // Without a reservation by anybody, the stack has none either.
    const ownReserved = limits.unreserved === limits.limit ? 0 : await reservedBy(account, plan.stackName);
    return { ...limits, ownReserved };
  },
  decide: decideConcurrency,
};

async function reservedBy(account: AccountReads, stackName: string): Promise<number> {
  return reservedIn(await account.deployedResources(stackName));
}

function reservedIn(resources: TemplateResources): number {
  const functions = resourcesOfType(resources, 'AWS::Lambda::Function');
  return sumOf(functions.map(({ Properties }) => Number(Properties?.['ReservedConcurrentExecutions'] ?? 0)));
}

/**
 * An account of 1,000, of which another stack has reserved 300 and this one 400: 300 are unreserved, and this stack can have 700 at most, of which 100 stay
 * unreserved. With `accountConcurrency: 1000` it would reserve up to 900, and the deployment would fail.
 */
export function decideConcurrency({ limit, unreserved, ownReserved }: ConcurrencyFacts, { plan }: Deployment): Verdict {
  const usable = unreserved + ownReserved;
  const found = describe(limit, usable);
  if (usable < NEW_ACCOUNT_CONCURRENCY) {
    return wrong(`Lower the reservations of other functions, or ${ASK}: ${found}, and the stack needs ten.`);
  }
  const { accountConcurrency: written, reservedConcurrency } = plan.props;
  const set = { accountConcurrency: usable };
  const knob = `Set \`accountConcurrency: ${usable}\``;
  const room = Math.max(0, usable - UNRESERVED);
  if (sumOf(Object.values(plan.concurrency.reserved)) > room) {
    const asked = sumOf(Object.values(reservedConcurrency));
    if (asked > room) return wrong(`Lower \`reservedConcurrency\` from ${asked} to at most ${room}: ${found}.`);
    return wrong(`${knob}: ${found}, so Lambda would refuse the reservations of this deployment.`, set);
  }
  if (written === undefined) return advice(`${knob}: ${found}. ${consequences(plan.props, usable)}`, set);
  if (written > usable) return advice(`${knob}: ${found}, so functions would be throttled.`, set);
  const part = written < usable ? ` \`accountConcurrency: ${written}\` uses a part of them.` : '';
  return ok(`${sentence(found)}.${part} ${consequences(plan.props, written)}`);
}

function describe(limit: number, usable: number): string {
  const taken = limit - usable;
  const has = `the account has ${limit} concurrent executions`;
  return taken > 0 ? `${has}, of which others reserve ${taken}` : has;
}

/** What the stack makes of so many executions. */
function consequences(props: Parameters<typeof planConcurrency>[0], accountConcurrency: number): string {
  const { reserved, maxWatches, syncMaxConcurrency } = planConcurrency({ ...props, accountConcurrency });
  const watches = props.api === 'function' ? `${maxWatches} watches and ` : '';
  const serves = `It serves ${watches}${syncMaxConcurrency} batches of keys at a time`;
  return Object.keys(reserved).length > 0 ? `${serves}.` : `${serves}, and reserves nothing; for more, ${ASK}.`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
