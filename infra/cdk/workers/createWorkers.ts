import { readFileSync } from 'node:fs';
import { Annotations, Aws } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import {
  AmazonLinuxCpuType,
  BlockDeviceVolume,
  EbsDeviceVolumeType,
  InstanceArchitecture,
  InstanceType,
  LaunchTemplate,
  MachineImage,
  UserData,
} from 'aws-cdk-lib/aws-ec2';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { IdentityMapping } from '../../../lambdas/functions/authorize/mapCaller.ts';
import type { Network } from '../createNetwork.ts';
import type { DriftlessStackProps, WorkerGroup } from '../DriftlessStackProps.ts';

export interface WorkerParts {
  readonly props: DriftlessStackProps;
  readonly network: Network;
  readonly role: Role;
  /** For which the kubelets' tokens are signed. */
  readonly clusterId: string;
  /** The URL of the API. */
  readonly server: string;
  /** The URL of the API's container, if it can be called without API Gateway. */
  readonly directServer: string | undefined;
}

/** The root volume of Amazon Linux. */
const ROOT_DEVICE = '/dev/xvda';

/** Creates the role of the nodes. It needs no permissions: STS tells everybody who they are. */
export function createNodeRole(scope: Construct, { sessionManager }: WorkerGroup): Role {
  return new Role(scope, 'NodeRole', {
    assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
    ...(sessionManager && {
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore')],
    }),
  });
}

/** The identity by which an instance with that role is a node. Only EC2 may give the role, so nobody else can choose a session's name. */
export function nodeIdentity(role: Role): IdentityMapping {
  return { arn: role.roleArn, username: 'system:node:{{EC2PrivateDNSName}}', groups: ['system:nodes'] };
}

/** Creates instances that join as nodes when they start. A changed template applies to instances that start later. */
export function createWorkers(scope: Construct, group: WorkerGroup, parts: WorkerParts): AutoScalingGroup {
  const { props, network } = parts;
  if (props.api === 'function') Annotations.of(scope).addWarningV2('driftless:workerGroup', WATCHES_WARNING);
  return new AutoScalingGroup(scope, 'Workers', {
    vpc: network.vpc,
    vpcSubnets: { subnets: [...network.subnets] },
    launchTemplate: createTemplate(scope, group, parts),
    minCapacity: group.minSize,
    maxCapacity: group.maxSize,
  });
}

const WATCHES_WARNING =
  'workerGroup: each kubelet keeps at least five watches open, and each of them keeps a function running; set api to "container", where they cost nothing more';

/** Containers reach no metadata service, and so do not get the role: its answers make one hop. */
function createTemplate(
  scope: Construct,
  { kubernetesVersion, instanceType, diskGb }: WorkerGroup,
  { props, network, role, ...reached }: WorkerParts,
): LaunchTemplate {
  const type = new InstanceType(instanceType);
  const isArm = type.architecture === InstanceArchitecture.ARM_64;
  return new LaunchTemplate(scope, 'WorkerTemplate', {
    instanceType: type,
    machineImage: MachineImage.latestAmazonLinux2023({
      cpuType: isArm ? AmazonLinuxCpuType.ARM_64 : AmazonLinuxCpuType.X86_64,
    }),
    role,
    ...(network.nodeGroup && { securityGroup: network.nodeGroup }),
    userData: UserData.custom(joinScript(reached, kubernetesVersion)),
    requireImdsv2: true,
    httpPutResponseHopLimit: 1,
    // In the stack's own network this is the way to the internet.
    ...(!props.nodeNetwork && { associatePublicIpAddress: true }),
    blockDevices: [
      {
        deviceName: ROOT_DEVICE,
        volume: BlockDeviceVolume.ebs(diskGb, { encrypted: true, volumeType: EbsDeviceVolumeType.GP3 }),
      },
    ],
  });
}

/** The user data: `join-node.sh` with its variables. */
function joinScript(
  { clusterId, server, directServer }: Pick<WorkerParts, 'clusterId' | 'server' | 'directServer'>,
  kubernetesVersion: string,
): string {
  const [interpreter, ...lines] = readFileSync(new URL('join-node.sh', import.meta.url), 'utf8').split('\n');
  const variables = {
    CLUSTER_ID: clusterId,
    SERVER: server,
    ...(directServer !== undefined && { DIRECT_SERVER: directServer }),
    REGION: Aws.REGION,
    KUBERNETES_VERSION: kubernetesVersion,
  };
  const exported = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  return [interpreter, ...exported, ...lines].join('\n');
}
