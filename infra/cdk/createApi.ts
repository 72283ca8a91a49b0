import { type CfnResource, Duration, Stack } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  IdentitySource,
  LogGroupLogDestination,
  RequestAuthorizer,
  RestApi,
  type RestApiProps,
} from 'aws-cdk-lib/aws-apigateway';
import type { IInterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { STAGE_NAME } from '../topology.ts';
import { addProxy, type ApiBackend } from './addProxy.ts';
import { createLogGroup } from './createFunctions.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';
import type { FunctionParts } from './FunctionParts.ts';
import { endpointPolicy } from './frontDoor/createPrivateEndpoint.ts';
import { createGatewayAccount } from './gatewayAccount/createGatewayAccount.ts';
import { addGatewayResponses } from './gatewayResponses.ts';
import type { Invoked } from './traffic/createAliases.ts';

export interface ApiParts extends FunctionParts {
  readonly invoked: Invoked;
  readonly backend: ApiBackend;
  /** Absent: the API is regional. */
  readonly endpoint: IInterfaceVpcEndpoint | undefined;
}

export interface Api {
  readonly restApi: RestApi;
  /** Absent if the user switched it off. */
  readonly accessLog: LogGroup | undefined;
}

/**
 * Creates a REST API, regional or private, that passes every request on to the API function or container, after `authorize` has identified the caller. Responses are streamed, for watches: either
 * endpoint keeps a response open for up to 15 minutes, and cuts it after five minutes without data (https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html).
 */
export function createApi(scope: Construct, { invoked, backend, endpoint, ...parts }: ApiParts): Api {
  const { props, clusterId } = parts;
  const accessLog = props.accessLogs ? createLogGroup(scope, 'AccessLog', parts) : undefined;
  const api = new RestApi(scope, 'Api', {
    // API Gateway's metrics carry this name, so it must be unique among the region's APIs.
    restApiName: Stack.of(scope).stackName,
    description: `Kubernetes API of ${clusterId}`,
    ...reachedBy(props, endpoint),
    // Decoding protobuf bodies as text would corrupt them. With this, every body arrives in base64.
    binaryMediaTypes: ['*/*'],
    cloudWatchRole: props.apiGatewayAccount === true,
    deployOptions: {
      stageName: STAGE_NAME,
      tracingEnabled: props.tracing === true,
      throttlingRateLimit: props.throttling.rateLimit,
      throttlingBurstLimit: props.throttling.burstLimit,
      ...(accessLog && writeAccessLog(accessLog, clusterId)),
    },
  });
  (api.node.defaultChild as CfnResource).overrideLogicalId('Api');
  // Remove the construct's own output of the URL; the stack has a better one.
  api.node.tryRemoveChild('Endpoint');
  if (props.apiGatewayAccount === 'ifNone') {
    // API Gateway refuses a stage with an access log while the account has no role.
    api.deploymentStage.node.addDependency(createGatewayAccount(scope, parts));
  }
  addProxy(api, backend, createAuthorizer(scope, invoked, props));
  addGatewayResponses(api, backend.kind, props.firewall?.managedRules === true);
  return { restApi: api, accessLog };
}

/** With mutual TLS the API's first name would be a way around the certificates, so it is off. */
function reachedBy({ domain }: DriftlessStackProps, endpoint: IInterfaceVpcEndpoint | undefined): RestApiProps {
  if (endpoint) {
    return {
      endpointConfiguration: { types: [EndpointType.PRIVATE], vpcEndpoints: [endpoint] },
      policy: endpointPolicy(endpoint),
    };
  }
  return { endpointTypes: [EndpointType.REGIONAL], ...(domain?.mutualTls && { disableExecuteApiEndpoint: true }) };
}

/** API Gateway answers a request without the header with 401 and does not invoke the function. */
function createAuthorizer(
  scope: Construct,
  { authorize: handler }: Invoked,
  props: DriftlessStackProps,
): RequestAuthorizer {
  const authorizer = new RequestAuthorizer(scope, 'Authorizer', {
    handler,
    identitySources: [IdentitySource.header('Authorization')],
    resultsCacheTtl: Duration.seconds(props.authorizerCacheSeconds),
  });
  (authorizer.node.defaultChild as CfnResource).overrideLogicalId('Authorizer');
  return authorizer;
}

/**
 * The access log: who asked for what, with which result. It never holds a token, a query or a body. Nor does it hold what a client writes freely, such as its name: API Gateway does not escape quotes, and a line that is not JSON is not counted.
 * `alarms/countLines.ts` reads some of the fields.
 */
function writeAccessLog(accessLog: LogGroup, clusterId: string) {
  const fields = {
    service: clusterId,
    requestId: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTimeEpoch(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    user: AccessLogField.contextAuthorizerPrincipalId(),
    method: AccessLogField.contextHttpMethod(),
    path: AccessLogField.contextPath(),
    status: AccessLogField.contextStatus(),
    authorizerStatus: AccessLogField.contextAuthorizerStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    responseBytes: AccessLogField.contextResponseLength(),
    error: AccessLogField.contextErrorMessage(),
    responseType: AccessLogField.contextErrorResponseType(),
    integrationError: AccessLogField.contextIntegrationErrorMessage(),
  };
  return {
    accessLogDestination: new LogGroupLogDestination(accessLog),
    // CloudWatch counts with numbers only. API Gateway knows of each request how long it took.
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(fields).replace(/("latencyMs":)"([^"]*)"/, '$1$2')),
  };
}
