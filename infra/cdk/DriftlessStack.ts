import { Annotations, Aws, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { cloudKubeconfig } from './cloudKubeconfig.ts';
import { createAlarms } from './alarms/createAlarms.ts';
import { createBudget } from './alarms/createBudget.ts';
import { createReceivers } from './alarms/createReceivers.ts';
import { packageVersion } from '../commandLine/packageVersion.ts';
import { DIRECT_PORT } from '../topology.ts';
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
import { createDomain } from './frontDoor/createDomain.ts';
import { createFirewall } from './frontDoor/createFirewall.ts';
import { createPrivateEndpoint } from './frontDoor/createPrivateEndpoint.ts';
import { serverUrl } from './frontDoor/serverUrl.ts';
import { parseStackProps } from './parseStackProps.ts';
import { planConcurrency } from './planConcurrency.ts';
import { protectTables } from './protectTables.ts';
import { resyncAfterDeployment } from './resyncAfterDeployment.ts';
import { createAliases } from './traffic/createAliases.ts';
import { shiftGradually } from './traffic/shiftGradually.ts';
import { createSmokeTest, createSmokeTester, smokeTestIdentity } from './smokeTest/createSmokeTest.ts';
import { createBackups } from './storage/createBackups.ts';
import { createEncryptionKey } from './storage/createEncryptionKey.ts';

/** A control plane in the cloud: the functions of `topology.ts` around their tables and queues. */
export class DriftlessStack extends Stack {
  /** Throws a StackPropsError for an invalid knob. A knob that is left out has its default (see DriftlessStackProps). */
  constructor(scope: Construct, id: string, knobs: Partial<DriftlessStackProps> = {}, stackProps: StackProps = {}) {
    super(scope, id, { description: 'Driftless: Kubernetes Deployments without a server', ...stackProps });
    const parsed = parseStackProps(knobs);
    this.addMetadata(KNOBS_METADATA, knobsMetadata(parsed, packageVersion));
    const nodeRole = parsed.workerGroup && createNodeRole(this, parsed.workerGroup);
    const tester = createSmokeTester(this, parsed);
    const identities = [
      ...parsed.identities,
      ...(nodeRole ? [nodeIdentity(nodeRole)] : []),
      ...(tester ? [smokeTestIdentity(tester)] : []),
    ];
    const props = { ...parsed, identities, smokeTest: tester !== undefined };
    const concurrency = planConcurrency(props);
    const clusterId = props.clusterId ?? `${this.stackName}-${Aws.REGION}-${Aws.ACCOUNT_ID}`;
    this.terminationProtection = props.terminationProtection;
    const encryptionKey = createEncryptionKey(this, props);
    const tables = createTables(this, props, encryptionKey);
    const queues = createQueues(this, props, encryptionKey);
    const network = createNetwork(this, props);
    const audit = createAuditLog(this, props, encryptionKey);
    const parts = { props, concurrency, clusterId, encryptionKey, tables, queues, network, audit };
    const functions = createFunctions(this, parts);
    const invoked = createAliases(this, functions, props);
    createTriggers(this, { ...parts, functions, invoked });
    const backend: ApiBackend = invoked.api
      ? { kind: 'function', target: invoked.api }
      : { kind: 'container', target: createApiService(this, parts) };
    const endpoint = createPrivateEndpoint(this, props, network);
    const { restApi: api, accessLog } = createApi(this, { ...parts, invoked, backend, endpoint });
    const domainTarget = props.domain && createDomain(this, api, props.domain);
    if (props.firewall) createFirewall(this, api, props.firewall);
    const failedBackups = createBackups(this, parts);
    const watched = { props, clusterId, functions, queues, tables, api, backend, accessLog, failedBackups };
    const receivers = createReceivers(this, props, encryptionKey);
    const alarms = props.alarms ? createAlarms(this, watched, receivers) : new Map<string, Alarm>();
    shiftGradually(this, invoked, props, alarms);
    createBudget(this, props);
    if (props.dashboard) createDashboard(this, { ...watched, alarms: [...alarms.values()] });
    const deployment = createDeploymentRole(this, { ...parts, functions, invoked });
    resyncAfterDeployment(this, { ...parts, functions, invoked }, deployment);
    const server = serverUrl(props, api.restApiId, endpoint);
    const directName = backend.kind === 'container' ? backend.target.directName : undefined;
    const directServer = directName === undefined ? undefined : `https://${directName}:${DIRECT_PORT}`;
    const reached = { clusterId, server, directServer };
    if (nodeRole && network && props.workerGroup) {
      createWorkers(this, props.workerGroup, { props, network, role: nodeRole, ...reached });
    }
    // Before the tables are protected: those of a first deployment that fails have to go.
    const smokeTestOutcome =
      // A domain may have no record of DNS yet.
      tester && createSmokeTest(this, tester, { ...parts, server: serverUrl({}, api.restApiId, endpoint) });
    addOutputs(this, {
      ...reached,
      mutualTls: props.domain?.mutualTls !== undefined,
      domainTarget: props.domain?.hostedZoneId === undefined ? domainTarget : undefined,
      auditLogGroup: audit?.logGroup.logGroupName,
      smokeTestOutcome,
    });
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
  readonly mutualTls: boolean;
  /** Absent: there is no domain, or it has its record. */
  readonly domainTarget: string | undefined;
  readonly auditLogGroup: string | undefined;
  readonly smokeTestOutcome: string | undefined;
}

function addOutputs(stack: Stack, parts: OutputParts): void {
  const { clusterId, server, directServer, mutualTls, domainTarget, auditLogGroup } = parts;
  const output = (id: string, description: string, value: string) => new CfnOutput(stack, id, { description, value });
  output('ApiUrl', 'URL of the Kubernetes API', server);
  if (directServer !== undefined) {
    const description = 'URL of the Kubernetes API with streams, by a certificate of the cluster`s authority';
    output('DirectUrl', description, directServer);
  }
  if (domainTarget !== undefined) output('DomainTarget', 'What the name of the API must be an alias of', domainTarget);
  if (auditLogGroup !== undefined) output('AuditLogGroup', 'The log group of the audit log', auditLogGroup);
  if (parts.smokeTestOutcome !== undefined) {
    output('SmokeTestOutcome', 'What the smoke test of the last deployment came to', parts.smokeTestOutcome);
  }
  output('ClusterId', 'Cluster name to sign tokens for: aws eks get-token --cluster-name', clusterId);
  output(
    'Kubeconfig',
    'Kubeconfig for kubectl; it gets tokens from the AWS CLI',
    cloudKubeconfig({ clusterId, region: Aws.REGION, server, mutualTls }),
  );
}
