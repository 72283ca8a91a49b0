import type { Quota } from '../AccountReads.ts';
import { advice, type Check, type Deployment, ok, type Verdict, wrong } from '../Check.ts';

interface WorkerFacts {
  /** Of one instance; `undefined` if the region has no such type. */
  readonly vcpus: number | undefined;
  /** Processors of all running instances together. `undefined` for a type that counts towards another quota. */
  readonly quota: number | undefined;
}

/** "Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances", in processors: https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html */
const STANDARD_VCPUS: Quota = { service: 'ec2', code: 'L-1216C47A' };
/** The quota's families, which have numbers after their letter. Others that begin with these letters, such as `inf2` and `trn1`, have quotas of their own. */
const STANDARD = /^(?:[acdhimrtz]|im|is)\d/;

/** Whether EC2 has the instances of `workerGroup`. */
export const workers: Check<WorkerFacts> = {
  name: 'workerGroup',
  appliesTo: ({ props }) => props.workerGroup !== undefined,
  async observe(account, { plan }) {
    const instanceType = plan.props.workerGroup?.instanceType ?? '';
    const vcpus = await account.vcpusOf(instanceType);
    return { vcpus, quota: STANDARD.test(instanceType) ? await account.quota(STANDARD_VCPUS) : undefined };
  },
  decide: decideWorkers,
};

export function decideWorkers({ vcpus, quota }: WorkerFacts, { plan, caller }: Deployment): Verdict {
  const { instanceType = '', minSize = 0, maxSize = 0 } = plan.props.workerGroup ?? {};
  if (vcpus === undefined) {
    return wrong(`Set \`workerGroup.instanceType\` to another type: ${caller.region} has no ${instanceType}.`);
  }
  const needs = `${maxSize} instances of ${instanceType} have ${maxSize * vcpus} processors`;
  if (quota === undefined) return ok(`${needs}.`);
  const has = `the account may run ${quota}, those of other instances included`;
  if (maxSize * vcpus <= quota) return ok(`${needs}; ${has}.`);
  const most = Math.floor(quota / vcpus);
  const ask = `ask for a higher quota "Running On-Demand Standard instances" (${STANDARD_VCPUS.code})`;
  if (minSize > most) return wrong(`Set \`workerGroup.minSize\` to at most ${most}, or ${ask}: ${has}.`);
  return advice(`Set \`workerGroup.maxSize: ${most}\`, or ${ask}: ${needs}, and ${has}.`);
}
