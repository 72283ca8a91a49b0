import { ACCOUNT, REGION, type TemplateResolver } from './Template.ts';

interface FunctionProperties {
  readonly Code: { readonly S3Key?: string };
  readonly Handler: string;
  readonly Runtime: string;
  readonly MemorySize?: number;
  /** Seconds. */
  readonly Timeout?: number;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string>> };
  readonly ReservedConcurrentExecutions?: number;
}

interface CustomProperties {
  readonly ServiceToken?: { readonly 'Fn::GetAtt'?: readonly string[] };
}

/** Of the account's role, the emulated gateway needs nothing. */
const CUSTOM_RESOURCES = ['Custom::AWS', 'Custom::GatewayAccount', 'Custom::SmokeTest'];

/** True for a function that only implements a custom resource. The emulation makes those calls itself (see readDeployInvocations), and runs the smoke test apart (see EmulatedSmokeTest). */
function isHelper(template: TemplateResolver, logicalId: string): boolean {
  return CUSTOM_RESOURCES.flatMap((type) => template.resources(type)).some(
    ([, properties]) => (properties as CustomProperties).ServiceToken?.['Fn::GetAtt']?.[0] === logicalId,
  );
}

/** Registers all functions, so that other resources can refer to them, then reads each. */
export function readFunctions(
  template: TemplateResolver,
  assetPaths: ReadonlyMap<string, string>,
): readonly DeployedFunction[] {
  const all = template.resources('AWS::Lambda::Function');
  for (const [logicalId] of all) {
    template.setDeployed(logicalId, { ref: logicalId, attributes: { Arn: functionArn(logicalId) } });
  }
  nameAliases(template);
  return all
    .filter(([logicalId]) => !isHelper(template, logicalId))
    .map((resource) => readFunction(template, resource, assetPaths));
}

/** Reads one function, after all are registered. readRoles reads its role. */
export function readFunction(
  template: TemplateResolver,
  [logicalId, properties]: readonly [string, Readonly<Record<string, unknown>>],
  assetPaths: ReadonlyMap<string, string>,
): DeployedFunction {
  return functionSpec(logicalId, template.resolve(pickKnown(properties)) as FunctionProperties, assetPaths);
}

/** An alias is at the version that has just been deployed: CodeDeploy shifts no invocations to a first one. */
function nameAliases(template: TemplateResolver): void {
  for (const [logicalId] of template.resources('AWS::Lambda::Version'))
    template.setDeployed(logicalId, { ref: logicalId, attributes: { Version: '1' } });
  for (const [logicalId, { FunctionName, Name }] of template.resources('AWS::Lambda::Alias')) {
    const name = String(template.resolve(FunctionName));
    template.setDeployed(logicalId, { ref: `${functionArn(name)}:${String(Name)}` });
  }
}

const READ = ['Code', 'Handler', 'Runtime', 'MemorySize', 'Timeout', 'Environment', 'ReservedConcurrentExecutions'];

function pickKnown(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => READ.includes(name))
      // Only the key is needed; it names the asset.
      .map(([name, value]) => [name, name === 'Code' ? { S3Key: (value as { S3Key?: unknown }).S3Key } : value]),
  );
}

function functionSpec(
  logicalId: string,
  properties: FunctionProperties,
  assetPaths: ReadonlyMap<string, string>,
): DeployedFunction {
  const {
    Code,
    Handler,
    Runtime,
    MemorySize = 128,
    Timeout = 3,
    Environment,
    ReservedConcurrentExecutions: reserved,
  } = properties;
  const directory = assetPaths.get((Code.S3Key ?? '').replace(/\.zip$/, ''));
  if (directory === undefined) throw new Error(`${logicalId}: there is no asset ${Code.S3Key}`);
  return {
    logicalId,
    name: logicalId,
    arn: functionArn(logicalId),
    directory,
    handler: Handler,
    runtime: Runtime,
    memoryMb: MemorySize,
    timeoutMs: Timeout * 1000,
    environment: Environment?.Variables ?? {},
    ...(reserved !== undefined && { reservedConcurrency: reserved }),
  };
}

function functionArn(name: string): string {
  return `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
}

/** A function as the template describes it, its references resolved. */
export interface DeployedFunction {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** The directory of its asset. */
  readonly directory: string;
  /** `index.handler` */
  readonly handler: string;
  /** `nodejs24.x`. The emulation only tells the function; it runs on this process' Node. */
  readonly runtime: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly reservedConcurrency?: number;
}
