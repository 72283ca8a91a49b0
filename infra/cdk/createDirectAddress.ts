import { Duration } from 'aws-cdk-lib';
import { Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import type { FargateService } from 'aws-cdk-lib/aws-ecs';
import { NetworkLoadBalancer, Protocol } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { Construct } from 'constructs';
import { DIRECT_PORT } from '../topology.ts';
import type { Network } from './createNetwork.ts';

/** The container's own address. */
export interface DirectAddress {
  /** The DNS name of its load balancer. */
  readonly name: string;
  /** Lets the load balancer pass connections on to the container, which must be called `api`. */
  aimAt(service: FargateService, taskGroup: SecurityGroup): void;
}

/**
 * Creates a load balancer that passes connections on to the container as they are: the container ends TLS, identifies the callers, and changes protocols, which API Gateway does not. An internal one has addresses of the
 * network only.
 */
export function createDirectAddress(
  scope: Construct,
  { vpc, subnets }: Network,
  reach: 'internal' | 'public',
): DirectAddress {
  const group = new SecurityGroup(scope, 'DirectGroup', {
    vpc,
    description: 'The address of the API',
    allowAllOutbound: false,
  });
  group.connections.allowFromAnyIpv4(Port.tcp(DIRECT_PORT), 'The API identifies its callers');
  const balancer = new NetworkLoadBalancer(scope, 'DirectBalancer', {
    vpc,
    internetFacing: reach === 'public',
    vpcSubnets: { subnets: [...subnets] },
    securityGroups: [group],
  });
  const listener = balancer.addListener('Direct', { port: DIRECT_PORT, protocol: Protocol.TCP });
  return {
    name: balancer.loadBalancerDnsName,
    aimAt: (service, taskGroup) => {
      group.connections.allowTo(taskGroup, Port.tcp(DIRECT_PORT));
      listener.addTargets('Container', {
        port: DIRECT_PORT,
        targets: [service.loadBalancerTarget({ containerName: 'api', containerPort: DIRECT_PORT })],
        // Watches are resumed at the next container, so there is nothing to wait for.
        deregistrationDelay: Duration.seconds(5),
        healthCheck: { protocol: Protocol.TCP, interval: Duration.seconds(10) },
      });
    },
  };
}
