/** Containers and ephemeral containers have the same fields. */
const CONTAINER = `
  name:1:string image:2:string command:3:[]string args:4:[]string workingDir:5:string
  ports:6:[]ContainerPort/merge(containerPort)/map(containerPort,protocol) envFrom:19:[]EnvFromSource
  env:7:[]EnvVar/merge(name) resources:8:ResourceRequirements resizePolicy:23:[]ContainerResizePolicy/since(1.33)
  restartPolicy:24:*string(ContainerRestartPolicy) volumeMounts:9:[]VolumeMount/merge(mountPath)
  volumeDevices:21:[]VolumeDevice/merge(devicePath) livenessProbe:10:Probe readinessProbe:11:Probe startupProbe:22:Probe
  lifecycle:12:Lifecycle terminationMessagePath:13:string terminationMessagePolicy:20:string(TerminationMessagePolicy)
  imagePullPolicy:14:string(PullPolicy) securityContext:15:SecurityContext stdin:16:bool stdinOnce:17:bool tty:18:bool
`;

/** core/v1: pods, pod templates and replication controllers, in the notation of parseField.ts. */
export const podTypes = {
  Affinity: 'nodeAffinity:1:NodeAffinity podAffinity:2:PodAffinity podAntiAffinity:3:PodAntiAffinity',
  AppArmorProfile: 'type:1:string(AppArmorProfileType) localhostProfile:2:*string',
  Capabilities: 'add:1:[]string drop:2:[]string',
  ConfigMapEnvSource: '...localObjectReference:1:LocalObjectReference optional:2:*bool',
  ConfigMapKeySelector: '/atomic ...localObjectReference:1:LocalObjectReference key:2:string optional:3:*bool',
  Container: CONTAINER,
  ContainerExtendedResourceRequest: 'containerName:1:string resourceName:2:string requestName:3:string',
  ContainerPort: 'name:1:string hostPort:2:int32 containerPort:3:int32 protocol:4:string(Protocol) hostIP:5:string',
  ContainerResizePolicy: 'resourceName:1:string(ResourceName) restartPolicy:2:string(ResourceResizeRestartPolicy)',
  ContainerState: `
    waiting:1:ContainerStateWaiting running:2:ContainerStateRunning terminated:3:ContainerStateTerminated
  `,
  ContainerStateRunning: 'startedAt:1:Time',
  ContainerStateTerminated: `
    exitCode:1:!int32 signal:2:int32 reason:3:string message:4:string startedAt:5:Time finishedAt:6:Time
    containerID:7:string
  `,
  ContainerStateWaiting: 'reason:1:string message:2:string',
  ContainerStatus: `
    name:1:string state:2:ContainerState lastState:3:ContainerState ready:4:!bool restartCount:5:!int32 image:6:string
    imageID:7:string containerID:8:string started:9:*bool allocatedResources:10:{}Quantity/since(1.33)
    resources:11:ResourceRequirements/since(1.33) volumeMounts:12:[]VolumeMountStatus/merge(mountPath)/since(1.31)
    user:13:ContainerUser/since(1.33) allocatedResourcesStatus:14:[]ResourceStatus/merge(name)/since(1.36)
    stopSignal:15:*string(Signal)/since(1.33)
  `,
  ContainerUser: 'linux:1:LinuxContainerUser',
  EnvFromSource: 'prefix:1:string configMapRef:2:ConfigMapEnvSource secretRef:3:SecretEnvSource',
  EnvVar: 'name:1:string value:2:string valueFrom:3:EnvVarSource',
  EnvVarSource: `
    fieldRef:1:ObjectFieldSelector resourceFieldRef:2:ResourceFieldSelector configMapKeyRef:3:ConfigMapKeySelector
    secretKeyRef:4:SecretKeySelector
  `,
  EphemeralContainer: '...ephemeralContainerCommon:1:EphemeralContainerCommon targetContainerName:2:string',
  EphemeralContainerCommon: CONTAINER,
  ExecAction: 'command:1:[]string',
  GRPCAction: 'port:1:int32 service:2:*string',
  HTTPGetAction: `
    path:1:string port:2:!IntOrString host:3:string scheme:4:string(URIScheme) httpHeaders:5:[]HTTPHeader
  `,
  HTTPHeader: 'name:1:string value:2:string',
  HostAlias: 'ip:1:string hostnames:2:[]string',
  HostIP: 'ip:1:string',
  Lifecycle: 'postStart:1:LifecycleHandler preStop:2:LifecycleHandler stopSignal:3:*string(Signal)/since(1.33)',
  LifecycleHandler: `
    exec:1:ExecAction httpGet:2:HTTPGetAction tcpSocket:3:TCPSocketAction sleep:4:SleepAction/since(1.30)
  `,
  LinuxContainerUser: 'uid:1:int64 gid:2:int64 supplementalGroups:3:[]int64',
  LocalObjectReference: '/atomic name:1:string',
  NodeAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution:1:NodeSelector
    preferredDuringSchedulingIgnoredDuringExecution:2:[]PreferredSchedulingTerm
  `,
  NodeSelector: '/atomic nodeSelectorTerms:1:![]NodeSelectorTerm',
  NodeSelectorRequirement: 'key:1:string operator:2:string(NodeSelectorOperator) values:3:[]string',
  NodeSelectorTerm: '/atomic matchExpressions:1:[]NodeSelectorRequirement matchFields:2:[]NodeSelectorRequirement',
  ObjectFieldSelector: '/atomic apiVersion:1:string fieldPath:2:string',
  Pod: 'metadata:1:meta.v1.ObjectMeta spec:2:PodSpec status:3:PodStatus',
  PodAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution:1:[]PodAffinityTerm
    preferredDuringSchedulingIgnoredDuringExecution:2:[]WeightedPodAffinityTerm
  `,
  PodAffinityTerm: `
    labelSelector:1:meta.v1.LabelSelector namespaces:2:[]string topologyKey:3:string
    namespaceSelector:4:meta.v1.LabelSelector matchLabelKeys:5:[]string/since(1.31)
    mismatchLabelKeys:6:[]string/since(1.31)
  `,
  PodAntiAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution:1:[]PodAffinityTerm
    preferredDuringSchedulingIgnoredDuringExecution:2:[]WeightedPodAffinityTerm
  `,
  PodCondition: `
    type:1:string(PodConditionType) observedGeneration:7:int64/since(1.34) status:2:string(ConditionStatus)
    lastProbeTime:3:Time lastTransitionTime:4:Time reason:5:string message:6:string
  `,
  PodDNSConfig: 'nameservers:1:[]string searches:2:[]string options:3:[]PodDNSConfigOption',
  PodDNSConfigOption: 'name:1:string value:2:*string',
  PodExtendedResourceClaimStatus: `
    requestMappings:1:![]ContainerExtendedResourceRequest resourceClaimName:2:string
  `,
  PodIP: 'ip:1:string',
  PodOS: 'name:1:string(OSName)',
  PodReadinessGate: 'conditionType:1:string(PodConditionType)',
  PodResourceClaim: 'name:1:string resourceClaimName:3:*string resourceClaimTemplateName:4:*string',
  PodResourceClaimStatus: 'name:1:string resourceClaimName:2:*string',
  PodSchedulingGate: 'name:1:string',
  PodSecurityContext: `
    seLinuxOptions:1:SELinuxOptions windowsOptions:8:WindowsSecurityContextOptions runAsUser:2:*int64
    runAsGroup:6:*int64 runAsNonRoot:3:*bool supplementalGroups:4:[]int64
    supplementalGroupsPolicy:12:*string(SupplementalGroupsPolicy)/since(1.33) fsGroup:5:*int64 sysctls:7:[]Sysctl
    fsGroupChangePolicy:9:*string(PodFSGroupChangePolicy) seccompProfile:10:SeccompProfile
    appArmorProfile:11:AppArmorProfile/since(1.30) seLinuxChangePolicy:13:*string(PodSELinuxChangePolicy)/since(1.33)
  `,
  PodSpec: `
    volumes:1:[]Volume/merge,retainKeys(name) initContainers:20:[]Container/merge(name)
    containers:2:![]Container/merge(name)/required ephemeralContainers:34:[]EphemeralContainer/merge(name)
    restartPolicy:3:string(RestartPolicy) terminationGracePeriodSeconds:4:*int64 activeDeadlineSeconds:5:*int64
    dnsPolicy:6:string(DNSPolicy) nodeSelector:7:{}string/atomic serviceAccountName:8:string serviceAccount:9:string
    automountServiceAccountToken:21:*bool nodeName:10:string hostNetwork:11:bool hostPID:12:bool hostIPC:13:bool
    shareProcessNamespace:27:*bool securityContext:14:PodSecurityContext
    imagePullSecrets:15:[]LocalObjectReference/merge(name) hostname:16:string subdomain:17:string affinity:18:Affinity
    schedulerName:19:string tolerations:22:[]Toleration hostAliases:23:[]HostAlias/merge(ip) priorityClassName:24:string
    priority:25:*int32 dnsConfig:26:PodDNSConfig readinessGates:28:[]PodReadinessGate runtimeClassName:29:*string
    enableServiceLinks:30:*bool preemptionPolicy:31:*string(PreemptionPolicy) overhead:32:{}Quantity
    topologySpreadConstraints:33:[]TopologySpreadConstraint/merge(topologyKey)/map(topologyKey,whenUnsatisfiable)
    setHostnameAsFQDN:35:*bool os:36:PodOS hostUsers:37:*bool/since(1.33)
    schedulingGates:38:[]PodSchedulingGate/merge(name)
    resourceClaims:39:[]PodResourceClaim/merge,retainKeys(name)/since(1.34)
    resources:40:ResourceRequirements/since(1.34)
  `,
  PodStatus: `
    observedGeneration:17:int64/since(1.34) phase:1:string(PodPhase) conditions:2:[]PodCondition/merge(type)
    message:3:string reason:4:string nominatedNodeName:11:string hostIP:5:string hostIPs:16:[]HostIP/merge(ip)/atomic
    podIP:6:string podIPs:12:[]PodIP/merge(ip) startTime:7:Time initContainerStatuses:10:[]ContainerStatus
    containerStatuses:8:[]ContainerStatus qosClass:9:string(PodQOSClass) ephemeralContainerStatuses:13:[]ContainerStatus
    resize:14:string(PodResizeStatus)/since(1.33)
    resourceClaimStatuses:15:[]PodResourceClaimStatus/merge,retainKeys(name)/since(1.34)
    extendedResourceClaimStatus:18:PodExtendedResourceClaimStatus/since(1.36) allocatedResources:19:{}Quantity/since(1.36)
    resources:20:ResourceRequirements/since(1.36)
  `,
  PodTemplateSpec: 'metadata:1:!meta.v1.ObjectMeta spec:2:!PodSpec',
  PreferredSchedulingTerm: 'weight:1:int32 preference:2:NodeSelectorTerm',
  Probe: `
    ...handler:1:ProbeHandler initialDelaySeconds:2:int32 timeoutSeconds:3:int32 periodSeconds:4:int32
    successThreshold:5:int32 failureThreshold:6:int32 terminationGracePeriodSeconds:7:*int64
  `,
  ProbeHandler: 'exec:1:ExecAction httpGet:2:HTTPGetAction tcpSocket:3:TCPSocketAction grpc:4:GRPCAction',
  ReplicationController: `
    metadata:1:meta.v1.ObjectMeta spec:2:ReplicationControllerSpec status:3:ReplicationControllerStatus
  `,
  ReplicationControllerCondition: `
    type:1:string(ReplicationControllerConditionType) status:2:string(ConditionStatus) lastTransitionTime:3:Time
    reason:4:string message:5:string
  `,
  ReplicationControllerSpec: `
    replicas:1:*int32 minReadySeconds:4:int32 selector:2:{}string/atomic template:3:PodTemplateSpec
  `,
  ReplicationControllerStatus: `
    replicas:1:!int32 fullyLabeledReplicas:2:int32 readyReplicas:4:int32 availableReplicas:5:int32
    observedGeneration:3:int64 conditions:6:[]ReplicationControllerCondition/merge(type)
  `,
  ResourceClaim: 'name:1:string request:2:string',
  ResourceHealth: 'resourceID:1:string(ResourceID) health:2:string(ResourceHealthStatus) message:6:*string/since(1.36)',
  ResourceRequirements: 'limits:1:{}Quantity requests:2:{}Quantity claims:3:[]ResourceClaim/map(name)/since(1.34)',
  ResourceStatus: 'name:1:string(ResourceName) resources:2:[]ResourceHealth/map(resourceID)',
  SELinuxOptions: 'user:1:string role:2:string type:3:string level:4:string',
  SeccompProfile: 'type:1:string(SeccompProfileType) localhostProfile:2:*string',
  SecretEnvSource: '...localObjectReference:1:LocalObjectReference optional:2:*bool',
  SecretKeySelector: '/atomic ...localObjectReference:1:LocalObjectReference key:2:string optional:3:*bool',
  SecurityContext: `
    capabilities:1:Capabilities privileged:2:*bool seLinuxOptions:3:SELinuxOptions
    windowsOptions:10:WindowsSecurityContextOptions runAsUser:4:*int64 runAsGroup:8:*int64 runAsNonRoot:5:*bool
    readOnlyRootFilesystem:6:*bool allowPrivilegeEscalation:7:*bool procMount:9:*string(ProcMountType)/since(1.33)
    seccompProfile:11:SeccompProfile appArmorProfile:12:AppArmorProfile/since(1.30)
  `,
  SleepAction: 'seconds:1:int64',
  Sysctl: 'name:1:string value:2:string',
  TCPSocketAction: 'port:1:!IntOrString host:2:string',
  Toleration: `
    key:1:string operator:2:string(TolerationOperator) value:3:string effect:4:string(TaintEffect)
    tolerationSeconds:5:*int64
  `,
  TopologySpreadConstraint: `
    maxSkew:1:int32 topologyKey:2:string whenUnsatisfiable:3:string(UnsatisfiableConstraintAction)
    labelSelector:4:meta.v1.LabelSelector minDomains:5:*int32 nodeAffinityPolicy:6:*string(NodeInclusionPolicy)
    nodeTaintsPolicy:7:*string(NodeInclusionPolicy) matchLabelKeys:8:[]string
  `,
  VolumeDevice: 'name:1:string devicePath:2:string',
  VolumeMount: `
    name:1:string readOnly:2:bool recursiveReadOnly:7:*string(RecursiveReadOnlyMode)/since(1.31) mountPath:3:string
    subPath:4:string mountPropagation:5:*string(MountPropagationMode) subPathExpr:6:string
  `,
  VolumeMountStatus: `
    name:1:string mountPath:2:string readOnly:3:bool recursiveReadOnly:4:*string(RecursiveReadOnlyMode)
    volumeStatus:5:VolumeStatus/since(1.36)
  `,
  VolumeStatus: 'image:1:ImageVolumeStatus',
  WeightedPodAffinityTerm: 'weight:1:int32 podAffinityTerm:2:PodAffinityTerm',
  WindowsSecurityContextOptions: `
    gmsaCredentialSpecName:1:*string gmsaCredentialSpec:2:*string runAsUserName:3:*string hostProcess:4:*bool
  `,
} as const;
