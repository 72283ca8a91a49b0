import { type CfnResource, Duration, Stack } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  RequestAuthorizer,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import { FUNCTIONS } from '../topology.ts';
import { createLogGroup, type Functions } from './createFunctions.ts';
import type { DriftlessStackProps } from './DriftlessStackProps.ts';
import { addGatewayResponses } from './gatewayResponses.ts';

/** The first part of every path, as API Gateway will have it; the API function takes it off. */
export const STAGE_NAME = 'k8s';

export interface ApiParts {
  readonly props: DriftlessStackProps;
  readonly clusterId: string;
  readonly functions: Functions;
}

/**
 * A regional REST API that passes every request on to `api`, once `authorize` has said whose it is. Answers are streamed, for watches: a regional
 * endpoint holds one for 15 minutes, and cuts it after five of silence.
 */
export function createApi(scope: Construct, { props, clusterId, functions }: ApiParts): RestApi {
  const api = new RestApi(scope, 'Api', {
    // Metrics go by this name: it must not be another API's.
    restApiName: Stack.of(scope).stackName,
    description: `Kubernetes API of ${clusterId}`,
    endpointTypes: [EndpointType.REGIONAL],
    // Bodies in Kubernetes' protobuf would be garbled as text; with this every body comes in base64.
    binaryMediaTypes: ['*/*'],
    cloudWatchRole: props.apiGatewayAccount,
    deployOptions: {
      stageName: STAGE_NAME,
      tracingEnabled: props.tracing,
      throttlingRateLimit: props.throttling.rateLimit,
      throttlingBurstLimit: props.throttling.burstLimit,
      ...accessLog(scope, props),
    },
  });
  (api.node.defaultChild as CfnResource).overrideLogicalId('Api');
  // The construct's own output of the URL; the stack has a better one.
  api.node.tryRemoveChild('Endpoint');
  addProxy(api, functions, createAuthorizer(scope, functions, props));
  addGatewayResponses(api);
  return api;
}

function addProxy(api: RestApi, functions: Functions, authorizer: RequestAuthorizer): void {
  const integration = new LambdaIntegration(functions.api, {
    responseTransferMode: ResponseTransferMode.STREAM,
    timeout: Duration.millis(FUNCTIONS.api.timeoutMs),
    allowTestInvoke: false,
  });
  const options = { authorizer, authorizationType: AuthorizationType.CUSTOM };
  api.root.addMethod('ANY', integration, options);
  api.root.addResource('{proxy+}').addMethod('ANY', integration, options);
}

/** A request without the header never gets as far as the function: 401. */
function createAuthorizer(scope: Construct, functions: Functions, props: DriftlessStackProps): RequestAuthorizer {
  const authorizer = new RequestAuthorizer(scope, 'Authorizer', {
    handler: functions.authorize,
    identitySources: [IdentitySource.header('Authorization')],
    resultsCacheTtl: Duration.seconds(props.authorizerCacheSeconds),
  });
  (authorizer.node.defaultChild as CfnResource).overrideLogicalId('Authorizer');
  return authorizer;
}

/** Who did what, and what came of it; never a token, a query or a body. */
function accessLog(scope: Construct, props: DriftlessStackProps) {
  if (!props.accessLogs) return {};
  const fields = {
    requestId: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTimeEpoch(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    userAgent: AccessLogField.contextIdentityUserAgent(),
    user: AccessLogField.contextAuthorizerPrincipalId(),
    method: AccessLogField.contextHttpMethod(),
    path: AccessLogField.contextPath(),
    status: AccessLogField.contextStatus(),
    authorizerStatus: AccessLogField.contextAuthorizerStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    responseBytes: AccessLogField.contextResponseLength(),
    error: AccessLogField.contextErrorMessage(),
  };
  return {
    accessLogDestination: new LogGroupLogDestination(createLogGroup(scope, 'AccessLog', props)),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(fields)),
  };
}
