import { parseStackProps } from '../../../infra/cdk/parseStackProps.ts';
import { planConcurrency } from '../../../infra/cdk/planConcurrency.ts';
import type { TemplateResources } from '../../../infra/preflight/AccountReads.ts';
import type { Deployment } from '../../../infra/preflight/Check.ts';

/** A deployment with these knobs, by Ann in us-east-1. Its template has these resources alone. */
export function deploymentOf(knobs: object = {}, region = 'us-east-1', resources: TemplateResources = {}): Deployment {
  const props = parseStackProps(knobs);
  return {
    plan: {
      stackName: 'driftless',
      props,
      concurrency: planConcurrency(props),
      resources,
      bootstrap: { parameter: '/cdk-bootstrap/hnb659fds/version', leastVersion: 6 },
    },
    caller: { account: '111122223333', arn: 'arn:aws:sts::111122223333:assumed-role/Deployer/ann', region },
  };
}
