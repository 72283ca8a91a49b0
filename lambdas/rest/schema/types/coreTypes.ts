/** core/v1: all types that are not part of a pod, in the notation of parseField.ts. */
export const coreTypes = {
  AttachedVolume: 'name:1:string(UniqueVolumeName) devicePath:2:string',
  Binding: 'metadata:1:meta.v1.ObjectMeta target:2:ObjectReference',
  ClientIPConfig: 'timeoutSeconds:1:*int32',
  ConfigMap: 'metadata:1:meta.v1.ObjectMeta immutable:4:*bool data:2:{}string binaryData:3:{}bytes',
  ConfigMapNodeConfigSource: `
    namespace:1:string name:2:string uid:3:string(types.UID) resourceVersion:4:string kubeletConfigKey:5:string
  `,
  ContainerImage: 'names:1:[]string sizeBytes:2:int64',
  DaemonEndpoint: 'Port:1:int32',
  EndpointAddress: '/atomic ip:1:string hostname:3:string nodeName:4:*string targetRef:2:ObjectReference',
  EndpointPort: '/atomic name:1:string port:2:int32 protocol:3:string(Protocol) appProtocol:4:*string',
  EndpointSubset: 'addresses:1:[]EndpointAddress notReadyAddresses:2:[]EndpointAddress ports:3:[]EndpointPort',
  Endpoints: 'metadata:1:meta.v1.ObjectMeta subsets:2:[]EndpointSubset',
  Event: `
    metadata:1:meta.v1.ObjectMeta involvedObject:2:!ObjectReference reason:3:string message:4:string
    source:5:!EventSource firstTimestamp:6:Time lastTimestamp:7:Time count:8:int32 type:9:string eventTime:10:MicroTime
    series:11:EventSeries action:12:string related:13:ObjectReference reportingComponent:14:string
    reportingInstance:15:string
  `,
  EventSeries: 'count:1:int32 lastObservedTime:2:MicroTime',
  EventSource: 'component:1:string host:2:string',
  LimitRange: 'metadata:1:meta.v1.ObjectMeta spec:2:LimitRangeSpec',
  LimitRangeItem: `
    type:1:string(LimitType) max:2:{}Quantity min:3:{}Quantity default:4:{}Quantity defaultRequest:5:{}Quantity
    maxLimitRequestRatio:6:{}Quantity
  `,
  LimitRangeSpec: 'limits:1:![]LimitRangeItem',
  LoadBalancerIngress: `
    ip:1:string hostname:2:string ipMode:3:*string(LoadBalancerIPMode)/since(1.30) ports:4:[]PortStatus
  `,
  LoadBalancerStatus: 'ingress:1:[]LoadBalancerIngress',
  Namespace: 'metadata:1:meta.v1.ObjectMeta spec:2:NamespaceSpec status:3:NamespaceStatus',
  NamespaceCondition: `
    type:1:string(NamespaceConditionType) status:2:string(ConditionStatus) lastTransitionTime:4:Time reason:5:string
    message:6:string
  `,
  NamespaceSpec: 'finalizers:1:[]string',
  NamespaceStatus: 'phase:1:string(NamespacePhase) conditions:2:[]NamespaceCondition/merge(type)',
  Node: 'metadata:1:meta.v1.ObjectMeta spec:2:NodeSpec status:3:NodeStatus',
  NodeAddress: 'type:1:string(NodeAddressType) address:2:string',
  NodeCondition: `
    type:1:string(NodeConditionType) status:2:string(ConditionStatus) lastHeartbeatTime:3:Time lastTransitionTime:4:Time
    reason:5:string message:6:string
  `,
  NodeConfigSource: 'configMap:2:ConfigMapNodeConfigSource',
  NodeConfigStatus: `
    assigned:1:NodeConfigSource active:2:NodeConfigSource lastKnownGood:3:NodeConfigSource error:4:string
  `,
  NodeDaemonEndpoints: 'kubeletEndpoint:1:!DaemonEndpoint',
  NodeFeatures: 'supplementalGroupsPolicy:1:*bool',
  NodeRuntimeHandler: 'name:1:string features:2:NodeRuntimeHandlerFeatures',
  NodeRuntimeHandlerFeatures: 'recursiveReadOnlyMounts:1:*bool userNamespaces:2:*bool/since(1.31)',
  NodeSpec: `
    podCIDR:1:string podCIDRs:7:[]string/merge/set providerID:3:string unschedulable:4:bool taints:5:[]Taint
    configSource:6:NodeConfigSource externalID:2:string
  `,
  NodeStatus: `
    capacity:1:{}Quantity allocatable:2:{}Quantity phase:3:string(NodePhase) conditions:4:[]NodeCondition/merge(type)
    addresses:5:[]NodeAddress/merge(type) daemonEndpoints:6:!NodeDaemonEndpoints nodeInfo:7:!NodeSystemInfo
    images:8:[]ContainerImage volumesInUse:9:[]string volumesAttached:10:[]AttachedVolume config:11:NodeConfigStatus
    runtimeHandlers:12:[]NodeRuntimeHandler/since(1.31) features:13:NodeFeatures/since(1.33)
    declaredFeatures:14:[]string/since(1.36)
  `,
  NodeSwapStatus: 'capacity:1:*int64',
  NodeSystemInfo: `
    machineID:1:string systemUUID:2:string bootID:3:string kernelVersion:4:string osImage:5:string
    containerRuntimeVersion:6:string kubeletVersion:7:string kubeProxyVersion:8:string operatingSystem:9:string
    architecture:10:string swap:11:NodeSwapStatus/since(1.33)
  `,
  ObjectReference: `
    /atomic kind:1:string namespace:2:string name:3:string uid:4:string(types.UID) apiVersion:5:string
    resourceVersion:6:string fieldPath:7:string
  `,
  PortStatus: 'port:1:int32 protocol:2:string(Protocol) error:3:*string',
  ResourceQuota: 'metadata:1:meta.v1.ObjectMeta spec:2:ResourceQuotaSpec status:3:ResourceQuotaStatus',
  ResourceQuotaSpec: 'hard:1:{}Quantity scopes:2:[]string scopeSelector:3:ScopeSelector',
  ResourceQuotaStatus: 'hard:1:{}Quantity used:2:{}Quantity',
  ScopeSelector: '/atomic matchExpressions:1:[]ScopedResourceSelectorRequirement',
  ScopedResourceSelectorRequirement: `
    scopeName:1:string(ResourceQuotaScope) operator:2:string(ScopeSelectorOperator) values:3:[]string
  `,
  Secret: `
    metadata:1:meta.v1.ObjectMeta immutable:5:*bool data:2:{}bytes stringData:4:{}string type:3:string(SecretType)
  `,
  Service: 'metadata:1:meta.v1.ObjectMeta spec:2:ServiceSpec status:3:ServiceStatus',
  ServiceAccount: `
    metadata:1:meta.v1.ObjectMeta secrets:2:[]ObjectReference/merge(name) imagePullSecrets:3:[]LocalObjectReference
    automountServiceAccountToken:4:*bool
  `,
  ServicePort: `
    name:1:string protocol:2:string(Protocol) appProtocol:6:*string port:3:int32 targetPort:4:!IntOrString
    nodePort:5:int32
  `,
  ServiceSpec: `
    ports:1:[]ServicePort/merge(port)/map(port,protocol) selector:2:{}string/atomic clusterIP:3:string
    clusterIPs:18:[]string type:4:string(ServiceType) externalIPs:5:[]string sessionAffinity:7:string(ServiceAffinity)
    loadBalancerIP:8:string loadBalancerSourceRanges:9:[]string externalName:10:string
    externalTrafficPolicy:11:string(ServiceExternalTrafficPolicy) healthCheckNodePort:12:int32
    publishNotReadyAddresses:13:bool sessionAffinityConfig:14:SessionAffinityConfig ipFamilies:19:[]string
    ipFamilyPolicy:17:*string(IPFamilyPolicy) allocateLoadBalancerNodePorts:20:*bool loadBalancerClass:21:*string
    internalTrafficPolicy:22:*string(ServiceInternalTrafficPolicy) trafficDistribution:23:*string/since(1.31)
  `,
  ServiceStatus: 'loadBalancer:1:!LoadBalancerStatus conditions:2:[]meta.v1.Condition/merge(type)',
  SessionAffinityConfig: 'clientIP:1:ClientIPConfig',
  Taint: 'key:1:string value:2:string effect:3:string(TaintEffect) timeAdded:4:Time',
} as const;
