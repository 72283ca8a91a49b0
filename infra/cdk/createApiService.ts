import { type CfnResource, Duration, Stack } from 'aws-cdk-lib';
import { VpcLink } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IVpc, Port, SecurityGroup, type SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import { DockerImageAsset, Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Cluster,
  ContainerImage,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  LogDriver,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { CONTAINER_PORT, DIRECT_PORT } from '../topology.ts';
import { withBuildContext } from './bundleContainer.ts';
import { createDirectAddress } from './createDirectAddress.ts';
import { createLogGroup } from './createFunctions.ts';
import type { FunctionParts } from './FunctionParts.ts';
import { allowToKubelets } from './createNetwork.ts';
import { createTaskRole } from './createRole.ts';
import { containerEnvironment } from './functionEnvironment.ts';

/** What API Gateway needs to reach the container. */
export interface ApiService {
  readonly service: FargateService;
  readonly loadBalancer: ApplicationLoadBalancer;
  readonly link: VpcLink;
  /** The container's. */
  readonly logGroup: LogGroup;
  /** The name by which clients reach it without API Gateway; absent if there is none. */
  readonly directName: string | undefined;
}

/** A quarter of a processor and 512 MB, the smallest task of Fargate. `bill/watchPrices.ts` computes what it costs. */
export const TASK = { cpu: 256, memoryMiB: 512 } as const;
const LISTENER_PORT = 80;
/** Longer than the heartbeats of a silent watch, shorter than the container keeps its connections. */
const IDLE_TIMEOUT = Duration.minutes(2);

/**
 * Creates the API as one container of Fargate, in a network of its own or in that of the nodes. Only API Gateway can reach it: its VPC link may connect to the load balancer, that to the container, and
 * nothing else to either. So the container can trust the headers that name the caller. It has a public address, which costs less than any other way to the registry of its image and
 * to CloudWatch, but accepts no connection from there.
 */
export function createApiService(scope: Construct, parts: FunctionParts): ApiService {
  const { network } = parts;
  if (!network) throw new Error('a container needs a network');
  const { vpc } = network;
  const vpcSubnets = { subnets: [...network.subnets] };
  const group = (id: string, description: string, allowAllOutbound: boolean) =>
    new SecurityGroup(scope, id, { vpc, description, allowAllOutbound });
  const linkGroup = group('ApiLinkGroup', 'API Gateway', false);
  const balancerGroup = group('ApiBalancerGroup', 'The load balancer of the Kubernetes API', false);
  const taskGroup = group('ApiTaskGroup', 'The container of the Kubernetes API', true);
  linkGroup.connections.allowTo(balancerGroup, Port.tcp(LISTENER_PORT));
  allowToKubelets(network, taskGroup);
  const loadBalancer = new ApplicationLoadBalancer(scope, 'ApiBalancer', {
    vpc,
    internetFacing: false,
    securityGroup: balancerGroup,
    idleTimeout: IDLE_TIMEOUT,
    vpcSubnets,
  });
  const logGroup = createLogGroup(scope, 'ApiContainerLog', parts);
  const { directAddress: reach } = parts.props;
  const direct = reach && createDirectAddress(scope, network, reach);
  const directName = direct?.name;
  const service = createService(scope, { ...parts, directName, vpc, vpcSubnets, taskGroup, logGroup });
  addTarget(loadBalancer, service);
  direct?.aimAt(service, taskGroup);
  const link = new VpcLink(scope, 'ApiLink', {
    vpc,
    vpcLinkName: Stack.of(scope).stackName,
    subnets: vpcSubnets,
    securityGroups: [linkGroup],
  });
  return { service, loadBalancer, link, logGroup, directName };
}

interface ServiceParts extends FunctionParts {
  readonly vpc: IVpc;
  readonly vpcSubnets: SubnetSelection;
  readonly taskGroup: SecurityGroup;
  readonly logGroup: LogGroup;
}

function createService(
  scope: Construct,
  { vpc, vpcSubnets, taskGroup, logGroup, ...parts }: ServiceParts,
): FargateService {
  const task = new FargateTaskDefinition(scope, 'ApiTask', {
    cpu: TASK.cpu,
    memoryLimitMiB: TASK.memoryMiB,
    runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
    taskRole: createTaskRole(scope, 'ApiTaskRole', parts).withoutPolicyUpdates(),
  });
  (task.node.defaultChild as CfnResource).overrideLogicalId('ApiTask');
  task.addContainer('api', {
    image: containerImage(scope),
    environment: containerEnvironment(parts),
    portMappings: [
      { containerPort: CONTAINER_PORT },
      ...(parts.directName === undefined ? [] : [{ containerPort: DIRECT_PORT }]),
    ],
    readonlyRootFilesystem: true,
    logging: LogDriver.awsLogs({ logGroup, streamPrefix: 'api' }),
  });
  return new FargateService(scope, 'ApiService', {
    cluster: new Cluster(scope, 'ApiCluster', { vpc }) as ICluster,
    taskDefinition: task,
    desiredCount: 1,
    // The next container answers before the one before it ends.
    minHealthyPercent: 100,
    maxHealthyPercent: 200,
    circuitBreaker: { rollback: true },
    assignPublicIp: true,
    vpcSubnets,
    securityGroups: [taskGroup],
  });
}

/** Docker builds the image when the stack is deployed; synthesis only writes what it needs. */
function containerImage(scope: Construct): ContainerImage {
  const { bundlingRequired } = Stack.of(scope);
  const image = withBuildContext(
    bundlingRequired,
    (directory) => new DockerImageAsset(scope, 'ApiImage', { directory, platform: Platform.LINUX_ARM64 }),
  );
  return ContainerImage.fromDockerImageAsset(image);
}

function addTarget(loadBalancer: ApplicationLoadBalancer, service: FargateService): ApplicationTargetGroup {
  const listener = loadBalancer.addListener('Http', {
    port: LISTENER_PORT,
    protocol: ApplicationProtocol.HTTP,
    open: false,
  });
  return listener.addTargets('Api', {
    targets: [service],
    port: CONTAINER_PORT,
    protocol: ApplicationProtocol.HTTP,
    // Watches are resumed at the next container, so there is nothing to wait for.
    deregistrationDelay: Duration.seconds(5),
    // The load balancer has no user, so the API refuses it with 401, which shows that the API answers.
    healthCheck: { path: '/livez', healthyHttpCodes: '200,401', interval: Duration.seconds(10) },
  });
}
