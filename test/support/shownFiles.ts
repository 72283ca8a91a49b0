/** The folders of which others may import every file: what many rooms share. */
const OPEN_ROOMS: ReadonlySet<string> = new Set(
  words(`
    infra infra/host lambdas/adapters/clocks lambdas/adapters/ids lambdas/controllers lambdas/controllers/claim lambdas/controllers/history
    lambdas/controllers/scale lambdas/explain lambdas/functions lambdas/objects lambdas/ports lambdas/registry/defaulting lambdas/registry/resources
    lambdas/registry/tables lambdas/registry/validation lambdas/registry/versions lambdas/rest/codec lambdas/rest/request lambdas/rest/response`),
);

/**
 * What each other room shows: the files that other rooms may import, without their ending. Its other files are its inside, which may change without a look at the rest of the code. Add a name here only if another room needs that file
 * as it is; often the thing belongs to a room that both can import. A controller's descriptor, `…Room.ts`, is shown by its name.
 */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'infra/cdk': words(`
    addDriftlessStack alarms/alarmGroups bundleContainer deployedKnobs DriftlessStack DriftlessStackProps nodeRuntime parseProperty parseStackProps planConcurrency TableName vpcLinkZones
  `),
  'infra/commandLine': words(`
    KubeconfigContext main openKubeconfigContext packageVersion parseStartOptions RunningServer`),
  'infra/dashboard': words(`
    openDashboard server/createDashboard server/RemoteClock server/statusMessage`),
  'infra/emulation': words(`
    bill/prices openEmulated`),
  'infra/local': words(`
    Administrator AuditLogSettings createHandlers kubeconfig muteLmdb openAuditLog openAuthority openServerFolder openStorage openTracing requireUnusedKubeconfig startControlPlane`),
  'infra/preflight': words(`
    AccountReads askAws AwsSettings openAws parsePreflightOptions preflightHelp runPreflight`),
  'infra/testCluster': words(`
    controls/TestControls controls/testingEntries controls/TestingObjects virtualTime`),
  'infra/verify': words(`
    parseVerifyOptions policy RunClock runVerify verifyHelp`),
  'lambdas/adapters/aws': words(`
    audit/CloudWatchAuditLog audit/LogsClient AwsCredentials DynamoDbSigningKeys Ec2InstanceNames keys/DynamoDbKeyItems keys/DynamoDbKeyLocks limits/DynamoDbRequestLimits log/ChangeLogAppender log/chooseSlot log/decodeStreamRecord log/DynamoDbWatchSlots log/EarlyLog log/heartbeatTime
    log/LogTail log/openStreams log/readStreamBatch log/WatchedLogs log/writeHeartbeat objects/CompletedRestores objects/DynamoDbObjectStore objects/KnownNamespaces
    objects/surveyObjects openAws openDynamoDbStore queue/queueMessage queue/receiveMessages queue/SqsWorkQueue signRequest tables traces/XRayClient traces/XRaySpans`),
  'lambdas/adapters/certificates': words(`
    clusterCertificates KeptAuthority X509Authority`),
  'lambdas/adapters/embedded': words(`
    ChangeStream DataDirectoryError EmbeddedKeyLocks EmbeddedRequestLimits EmbeddedWorkQueue FileAuditLog FileSigningKeys Journal LmdbJournal LmdbKeyItemStorage lockDirectory
    makeDataDirectory MemoryJournal MemorySigningKeys openEmbeddedStore salvageJournal StreamAuditLog`),
  'lambdas/adapters/https': words(`
    HttpsWebhookCaller LazyBackendConnections`),
  'lambdas/adapters/simulated': words(`
    parseDuration parsePodScript SimulatedPodRuntime`),
  'lambdas/adapters/tracing': words(`
    AsyncTracing OtlpExporter`),
  'lambdas/controllers/csrapproving': words(`
    SigningRequest`),
  'lambdas/controllers/csrsigning': words(`
    checkRequest`),
  'lambdas/controllers/deployment': words(`
    explainRollout replicaSets resolveFenceposts`),
  'lambdas/controllers/disruption': words(`
    expectedPods explainBudget syncBudget`),
  'lambdas/controllers/endpoint': words(`
    createServiceController decideEndpoints endpointReasons podEndpoint reportWrite ServicesOfPods`),
  'lambdas/controllers/endpointslice': words(`
    commitSlices planSlices`),
  'lambdas/controllers/events': words(`
    createEventRecorder messageIn`),
  'lambdas/controllers/job': words(`
    jobState`),
  'lambdas/controllers/nodelease': words(`
    decideRenewals`),
  'lambdas/controllers/nodelifecycle': words(`
    keysForChange`),
  'lambdas/controllers/persistentvolume': words(`
    boundPair findMatchingVolume`),
  'lambdas/controllers/pod': words(`
    PodEventBudget podEvents RecentNodes`),
  'lambdas/controllers/podgc': words(`
    decideTerminated`),
  'lambdas/controllers/pvcprotection': words(`
    protectionReasons writeProtection`),
  'lambdas/controllers/replicaset': words(`
    calculateStatus commitReplicas concludeSettled createReplicaSetController explainOwner forgetOwner getPodsToDelete plannedPods PodControl
    ReplicaOwner replicaSetReasons settleIntent slowStartBatch syncReplicaOwner`),
  'lambdas/controllers/scheduler': words(`
    boundPod choosePlainNode concernsScheduling framework/Volumes isPlainPod PlainBinds PlainChoice PlainScheduler plugins/nodeAffinity plugins/tolerates
   `),
  'lambdas/controllers/tainteviction': words(`
    deleteMarkedPod`),
  'lambdas/functions/api': words(`
    createApiHandler endWatches timeoutsOf Upgrades userOfHeaders`),
  'lambdas/functions/authorize': words(`
    composeAuthenticator createAuthenticator mapCaller`),
  'lambdas/functions/direct': words(`
    composeDirectKeys DirectKeys EarlyAppends`),
  'lambdas/functions/enqueue': words(`
    createEnqueueHandler KeyPacer mergeKeys`),
  'lambdas/functions/explain': words(`
    asksToExplain createExplainer serveExplain`),
  'lambdas/functions/record': words(`
    createRecordHandler`),
  'lambdas/functions/resync': words(`
    bootstrapCluster createResyncHandler parseResyncEvent publishClientAuthority restoreKubernetesService simulatedNode`),
  'lambdas/functions/sync': words(`
    createControllers createSyncHandler createSyncMetrics SyncConfig SyncDependencies`),
  'lambdas/registry': words(`
    copyOf createRegistry defineResource findKind Registry RegistryContext Requester ResourceCatalog resourceEntries ResourceEntry`),
  'lambdas/registry/admission': words(`
    AdmissionReads admitCreate applyLimitRanges applyPriority applyTopologyLabels chargeQuotas dynamic/AdmissionAttributes
    dynamic/admitWrite dynamic/ConfiguredObjects dynamic/DynamicAdmission dynamic/RequestAttributes policies/AccessAnswers policies/AdmissionEnvironment policies/AdmissionInput
    policies/bindParameters policies/checkPolicyTypes policies/Condition policies/paramAccess policies/PolicyAdmission policies/spendOnCompiling policies/typesToCheck
    QuotaCharges tokenVolume webhooks/callWebhook webhooks/createWebhookAdmission webhooks/mutateByWebhooks webhooks/Webhook`),
  'lambdas/registry/apiextensions': words(`
    CustomSchema rules/SchemaType rules/toCelValue schema/coerceDefaults schema/embeddedMetadata schema/findFieldPath schema/JsonSchemaProps
    schema/parseSchema schema/validateSchema values/deepEqual values/formats values/goNumber values/parseUrl values/patterns`),
  'lambdas/registry/cel': words(`
    CelType check/CelEnvironment check/checkExpression compileExpression cost/Estimate cost/estimateCost cost/EstimatedCall evaluate/AuthorizationValue
    evaluate/CelValue evaluate/composedSize evaluate/evaluate evaluate/typeNameOf functions/parseTimestamp functions/standardFunctions`),
  'lambdas/registry/customresources': words(`
    apiApproval conversion/AwaitedConversions conversion/ConversionWebhooks conversion/storeInVersion CustomResourceDefinition customResourceEntry
    DefinedResources validateCustomResourceDefinition`),
  'lambdas/registry/fieldmanager': words(`
    boundManagedFields compareObjects fieldFilter FieldManagerError FieldSet FieldTracker ManagedFields MergeSchema pathElement scaleFields trackApply
    trackUpdate validateConfiguration validateManagedFields VersionedObject`),
  'lambdas/registry/metrics': words(`
    ClusterMetrics kubeletOf KubeletScrapes`),
  'lambdas/registry/services': words(`
    claimHoldings keepAllocated ServiceNetwork writeService`),
  'lambdas/rest': words(`
    convertObject createApiApp ServedGroup ServedResources`),
  'lambdas/rest/admission': words(`
    admitSubresource patchAdmitted`),
  'lambdas/rest/audit': words(`
    auditAnswer AuditPolicy beginAudit parseAuditPolicy`),
  'lambdas/rest/authentication': words(`
    authenticateToken bootstrapTokens ServiceAccountTokens TokenClaims`),
  'lambdas/rest/connect': words(`
    serveLog serveNodeProxy serveServiceProxy serveStream`),
  'lambdas/rest/discovery': words(`
    serveApiServices serveDiscovery serveOpenApi serveOpenId serverVersion`),
  'lambdas/rest/flowcontrol': words(`
    ensureFlowControl FlowControl RequestLimitSettings`),
  'lambdas/rest/list': words(`
    HeldLists LaterPages listOptions Selection serveList`),
  'lambdas/rest/metrics': words(`
    DiscoveredMetrics discoverMetrics metricsGroups serveMetrics serveMetricValues`),
  'lambdas/rest/nodeauthorizer': words(`
    nodeRules nodeUser restrictNode restrictNodeActions withNodeRules`),
  'lambdas/rest/patch': words(`
    applyJsonPatch decodeConfiguration decodePatch`),
  'lambdas/rest/rbac': words(`
    AccessAttributes allow checkEscalation createRbacAuthorizer ensureDefaultRoles evaluateRules guardSigners impersonatedUser reviewAccess smokeTestRole UserInfo`),
  'lambdas/rest/schema': words(`
    checkCustomFields checkFields checkScalar entryIn kindSchema mergeSchema misfitOf objectVersions openapi/createCatalogOpenApi openapi/createOpenApi
    openapi/resolveSchema parseField pruneFields schemaOf strictWarnings`),
  'lambdas/rest/subresources': words(`
    connectionOptions serveBinding servePodSubresource serveScale serveTokenRequest`),
  'lambdas/rest/tracing': words(`
    traceRequest`),
  'lambdas/rest/verbs': words(`
    serveApply serveCreate serveDelete serveGet servePatch serveUpdate`),
  'lambdas/rest/watch': words(`
    claimSlot logInVersion serveWatch`),
};

/** The room of a file: a part of the command line or of the cloud, or a layer of the functions, whose folders are rooms of their own in five of them. */
export function roomOf(path: string): string {
  const room =
    /^(?:lambdas\/(?:adapters|controllers|functions|registry|rest)\/[^/]+|(?:lambdas|infra)\/[^/]+)(?=\/)/.exec(path);
  return room?.[0] ?? path.slice(0, path.lastIndexOf('/'));
}

/** True for a file that other rooms may import. */
export function isShown(path: string): boolean {
  const room = roomOf(path);
  const name = path.slice(room.length + 1).replace(/\.tsx?$/, '');
  if (OPEN_ROOMS.has(room) || SHOWN[room]?.includes(name)) return true;
  return room.startsWith('lambdas/controllers/') && /^\w+Room$/.test(name);
}

/** The files of the table, without their endings. */
export function shownPaths(): readonly string[] {
  return Object.entries(SHOWN).flatMap(([room, names]) => names.map((name) => `${room}/${name}`));
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
