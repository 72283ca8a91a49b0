import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import type { InstanceNames } from '../../ports/InstanceNames.ts';

/** The authorizer has ten seconds for a request, and asks STS before. */
const CLIENT = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
};

/** EC2's answers about an id that names no instance of the account and region. */
const UNKNOWN = new Set(['InvalidInstanceID.NotFound', 'InvalidInstanceID.Malformed']);

/** Asks EC2 for each instance once. What it remembers is bounded by the number of instances, since unknown ids are not remembered. */
export class Ec2InstanceNames implements InstanceNames {
  readonly #ec2: EC2Client;
  readonly #known = new Map<string, string>();

  /** The region, the credentials and the endpoint are those of the environment. */
  constructor(ec2 = new EC2Client(CLIENT)) {
    this.#ec2 = ec2;
  }

  async privateDnsNameOf(instanceId: string): Promise<string | undefined> {
    const known = this.#known.get(instanceId);
    if (known !== undefined) return known;
    const name = (await this.#describe(instanceId))?.toLowerCase();
    if (name) this.#known.set(instanceId, name);
    return name || undefined;
  }

  async #describe(instanceId: string): Promise<string | undefined> {
    try {
      const { Reservations } = await this.#ec2.send(new DescribeInstancesCommand({ InstanceIds: [instanceId] }));
      return Reservations?.[0]?.Instances?.[0]?.PrivateDnsName;
    } catch (error) {
      if (error instanceof Error && UNKNOWN.has(error.name)) return undefined;
      throw error;
    }
  }
}
