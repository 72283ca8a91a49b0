import type { TemplateResolver } from './Template.ts';

/** The API's container as the template describes it. */
export interface ContainerSpec {
  /** The logical id of its task, which identifies it to the services. */
  readonly logicalId: string;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** The name of every load balancer: a container is on this machine. */
const BALANCER_NAME = 'localhost';

interface TaskProperties {
  readonly Memory: string;
  readonly ContainerDefinitions: readonly {
    readonly Environment?: readonly { readonly Name: string; readonly Value: string }[];
  }[];
}

/** Returns the template's container, or `undefined` if the API is a function. Throws if there are several. */
export function readContainer(template: TemplateResolver): ContainerSpec | undefined {
  for (const [logicalId] of template.resources('AWS::ElasticLoadBalancingV2::LoadBalancer'))
    template.setDeployed(logicalId, { ref: logicalId, attributes: { DNSName: BALANCER_NAME } });
  const tasks = template.resources('AWS::ECS::TaskDefinition');
  if (tasks.length > 1) throw new Error('the emulation supports one container');
  const [[logicalId, properties] = []] = tasks;
  if (logicalId === undefined) return undefined;
  const { Memory, ContainerDefinitions } = properties as unknown as TaskProperties;
  const environment = template.resolve(ContainerDefinitions[0]?.Environment ?? []) as readonly {
    readonly Name: string;
    readonly Value: string;
  }[];
  return {
    logicalId,
    memoryMb: Number(Memory),
    environment: Object.fromEntries(environment.map(({ Name, Value }) => [Name, Value])),
  };
}
