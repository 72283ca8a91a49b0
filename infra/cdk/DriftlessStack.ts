import { Annotations, Aws, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { cloudKubeconfig } from './cloudKubeconfig.ts';
import { createAlarms } from './alarms/createAlarms.ts';
import { createBudget } from './alarms/createBudget.ts';
import { createReceivers } from './alarms/createReceivers.ts';
import { packageVersion } from '../commandLine/packageVersion.ts';
import { DIRECT_PORT, STAGE_NAME } from '../topology.ts';
import type { ApiBackend } from './addProxy.ts';
import { createAuditLog } from './createAuditLog.ts';
import { createApi } from './createApi.ts';
import { createApiService } from './createApiService.ts';
import { createDeploymentRole } from './createDeploymentRole.ts';
import { createDashboard } from './createDashboard.ts';
import { createFunctions } from './createFunctions.ts';
import { createNetwork } from './createNetwork.ts';
import { createQueues } from './createQueues.ts';
import { createTables } from './createTables.ts';
import { createTriggers } from './createTriggers.ts';
import { KNOBS_METADATA, knobsMetadata } from './deployedKnobs.ts';
import { createNodeRole, createWorkers, nodeIdentity } from './workers/createWorkers.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';
import { parseStackProps } from './parseStackProps.ts';
import { planConcurrency } from './planConcurrency.ts';
import { protectTables } from './protectTables.ts';
import { resyncAfterDeployment } from './resyncAfterDeployment.ts';

/** A control plane in the cloud: the functions of `topology.ts` around their tables and queues. */
export class DriftlessStack extends Stack {
  /** Throws a StackPropsError for an invalid knob. A knob that is left out has its default (see DriftlessStackProps). */
  constructor(scope: Construct, id: string, knobs: Partial<DriftlessStackProps> = {}, stackProps: StackProps = {}) {
    super(scope, id, { description: 'Driftless: Kubernetes Deployments without a server', ...stackProps });
    const parsed = parseStackProps(knobs);
    this.addMetadata(KNOBS_METADATA, knobsMetadata(parsed, packageVersion));
    const nodeRole = parsed.workerGroup && createNodeRole(this, parsed.workerGroup);
    const props = nodeRole ? { ...parsed, identities: [...parsed.identities, nodeIdentity(nodeRole)] } : parsed;
    const concurrency = planConcurrency(props);
    const clusterId = props.clusterId ?? `${this.stackName}-${Aws.REGION}-${Aws.ACCOUNT_ID}`;
    const tables = createTables(this, props);
    const queues = createQueues(this, props);
    const network = createNetwork(this, props);
    const audit = createAuditLog(this, props);
    const parts = { props, concurrency, clusterId, tables, queues, network, audit };
    const functions = createFunctions(this, parts);
    createTriggers(this, { ...parts, functions });
    const backend: ApiBackend = functions.api
      ? { kind: 'function', target: functions.api }
      : { kind: 'container', target: createApiService(this, parts) };
    const { restApi: api, accessLog } = createApi(this, { ...parts, functions, backend });
    const watched = { props, clusterId, functions, queues, tables, api, backend, accessLog };
    const receivers = createReceivers(this, props);
    const alarms = props.alarms ? createAlarms(this, watched, receivers) : [];
    createBudget(this, props);
    if (props.dashboard) createDashboard(this, { ...watched, alarms });
    const deployment = createDeploymentRole(this, { ...parts, functions });
    resyncAfterDeployment(this, { ...parts, functions }, deployment);
    const server = `https://${api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${STAGE_NAME}`;
    const directName = backend.kind === 'container' ? backend.target.directName : undefined;
    const directServer = directName === undefined ? undefined : `https://${directName}:${DIRECT_PORT}`;
    const reached = { clusterId, server, directServer };
    if (nodeRole && network && props.workerGroup) {
      createWorkers(this, props.workerGroup, { props, network, role: nodeRole, ...reached });
    }
    addOutputs(this, { ...reached, auditLogGroup: audit?.logGroup.logGroupName });
    protectTables(this, parts, deployment);
    if (concurrency.warning !== undefined) {
      Annotations.of(this).addWarningV2('driftless:accountConcurrency', concurrency.warning);
    }
    if (props.alarms && receivers.length === 0) {
      const warning = 'alarmEmail: nobody is told when an alarm goes off; set it, or alarmTopicArn';
      Annotations.of(this).addWarningV2('driftless:alarmEmail', warning);
    }
    if (parsed.identities.length === 0) {
      const warning = 'identities: no identity is mapped, so every request will be answered with 401';
      Annotations.of(this).addWarningV2('driftless:identities', warning);
    }
  }
}

interface OutputParts {
  readonly clusterId: string;
  readonly server: string;
  readonly directServer: string | undefined;
  readonly auditLogGroup: string | undefined;
}

function addOutputs(stack: Stack, { clusterId, server, directServer, auditLogGroup }: OutputParts): void {
  const output = (id: string, description: string, value: string) => new CfnOutput(stack, id, { description, value });
  output('ApiUrl', 'URL of the Kubernetes API', server);
  if (directServer !== undefined) {
    const description = 'URL of the Kubernetes API with streams, by a certificate of the cluster`s authority';
    output('DirectUrl', description, directServer);
  }
  if (auditLogGroup !== undefined) output('AuditLogGroup', 'The log group of the audit log', auditLogGroup);
  output('ClusterId', 'Cluster name to sign tokens for: aws eks get-token --cluster-name', clusterId);
  output(
    'Kubeconfig',
    'Kubeconfig for kubectl; it gets tokens from the AWS CLI',
    cloudKubeconfig({ clusterId, region: Aws.REGION, server }),
  );
}
