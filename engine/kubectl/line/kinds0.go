package line

// Flags that several verbs have.
var (
	dryRunFlag = flag{name: "dry-run", takesValue: true, optional: unchanged, values: []string{"none", "client", "server"},
		brief: "say what would be done, and do nothing"}
	selectorFlag = flag{name: "selector", short: "l", takesValue: true,
		brief: "only objects with these labels: a=b,c!=d,e in (x,y),!f"}
	allFlag      = flag{name: "all", brief: "all objects of the type in the namespace"}
	allNSFlag    = flag{name: "all-namespaces", short: "A", brief: "objects of all namespaces"}
	filenameFlag = flag{name: "filename", short: "f", takesValue: true, values: []string{"-"},
		brief: "-, the manifest that the command is given to read"}
	recordFlag = flag{name: "record", brief: "keep the command line in the annotation kubernetes.io/change-cause"}
	containers = flag{name: "containers", short: "c", takesValue: true,
		brief: "only containers whose names match; * stands for any letters"}
)
