import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Meter } from '../bill/Meter.ts';
import { AccountConcurrency } from './AccountConcurrency.ts';
import { EmulatedFunction } from './EmulatedFunction.ts';
import { REGION } from '../template/Template.ts';
import type { DeployedFunction } from '../template/readFunctions.ts';
import { EMULATED } from '../../../lambdas/functions/readEnvironment.ts';

/** Where functions and the container find the services. */
export interface ServiceEndpoints {
  readonly dynamoDbEndpoint: string;
  readonly sqsEndpoint: string;
  readonly ec2Endpoint: string;
  readonly sessionToken: string;
}

export interface DeployParts {
  readonly sharedParts: {
    readonly workerPath: string;
    readonly stsPort: number;
    readonly onLog: (functionName: string, text: string) => void;
  } & ServiceEndpoints;
  readonly meter: Meter;
  /** The account's quota of concurrent executions. */
  readonly accountConcurrency: number;
}

/** The functions of a stack. */
export interface FunctionPool {
  /** Finds a function by its name or ARN, with or without an alias: `NAME:live`. Throws if no function has that name. */
  get(nameOrArn: string): EmulatedFunction;
  /** Replaces a function's code and configuration while it is invoked. Resolves when its next invocation gets the new ones; rejects if they cannot be loaded, or for a function that the stack does not have. */
  update(spec: DeployedFunction): Promise<void>;
  close(): Promise<void>;
}

/** Each open watch holds one environment, and each environment is a V8 of its own: this machine holds no more of one function. */
const MAX_ENVIRONMENTS = 48;

/** Starts the functions. Resolves when each has an environment that is ready. */
export async function deployFunctions(specs: readonly DeployedFunction[], parts: DeployParts): Promise<FunctionPool> {
  const concurrency = new AccountConcurrency(parts.accountConcurrency, specs);
  const functions = new Map(specs.map((spec) => [spec.name, createFunction(spec, parts, concurrency)]));
  const close = async () => void (await Promise.all([...functions.values()].map((one) => one.close())));
  try {
    await Promise.all([...functions.values()].map((one) => one.warm()));
  } catch (error) {
    await close();
    throw error;
  }
  const pool: FunctionPool = {
    get(nameOrArn) {
      const [, name = ''] = /(?:^|:function:)([\w-]+)(?::[\w-]+)?$/.exec(nameOrArn) ?? [];
      const found = functions.get(name);
      if (!found) throw new Error(`the stack has no function ${nameOrArn}`);
      return found;
    },
    update: (spec) => pool.get(spec.name).update(spec, lambdaVariables(spec, parts.sharedParts)),
    close,
  };
  return pool;
}

function createFunction(
  spec: DeployedFunction,
  { sharedParts, meter }: DeployParts,
  concurrency: AccountConcurrency,
): EmulatedFunction {
  const { workerPath, stsPort, onLog } = sharedParts;
  return new EmulatedFunction({
    spec,
    sharedParts: {
      workerPath,
      stsPort,
      variables: lambdaVariables(spec, sharedParts),
      onLog: (functionName, text) => {
        meter.logged(Buffer.byteLength(text));
        onLog(functionName, text);
      },
    },
    concurrency,
    maxEnvironments: MAX_ENVIRONMENTS,
    onBilled: (invocation) => meter.invocation(invocation),
  });
}

/** The region, the credentials that identify the caller to the services, and the services' endpoints. */
export function serviceVariables(
  logicalId: string,
  { dynamoDbEndpoint, sqsEndpoint, ec2Endpoint, sessionToken }: ServiceEndpoints,
): Record<string, string> {
  return {
    // The bundles are built for the cloud's Node.js, which may be newer than this process's.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    [EMULATED]: 'true',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: logicalId,
    AWS_SECRET_ACCESS_KEY: 'emulated',
    AWS_SESSION_TOKEN: sessionToken,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint,
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: dynamoDbEndpoint,
    AWS_ENDPOINT_URL_SQS: sqsEndpoint,
    AWS_ENDPOINT_URL_EC2: ec2Endpoint,
  };
}

/** The variables that Lambda sets, and those of `serviceVariables`. */
export function lambdaVariables(spec: DeployedFunction, endpoints: ServiceEndpoints): Record<string, string> {
  return {
    ...serviceVariables(spec.logicalId, endpoints),
    TZ: ':UTC',
    AWS_EXECUTION_ENV: `AWS_Lambda_${spec.runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${spec.memoryMb}`,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    LAMBDA_TASK_ROOT: spec.directory,
    _HANDLER: spec.handler,
  };
}

/** Bundles functionWorker into `directory`, so that environments need not load TypeScript. Resolves to the file's path. */
export async function bundleWorker(directory: string): Promise<string> {
  const { build } = await import('esbuild');
  const outfile = join(directory, 'functionWorker.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('functionWorker.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  });
  return outfile;
}
