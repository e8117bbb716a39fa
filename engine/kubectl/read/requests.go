package read

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// request prints with -v=6 what kubectl get asks the server for, an object or all of a type, and whether the server has it
// (client-go/transport/round_trippers.go).
//
// Simplified: what kubectl knows of the API's types is in its cache; answers come at once.
func (r *reading) request(kind api.Kind, name string, err error) {
	if !r.Verbose {
		return
	}
	query, by, output := "", r.Flags["sort-by"], r.Flags["output"]
	ask := func(parameter, value string, given bool) {
		if given {
			query += "&" + parameter + "=" + url.QueryEscape(value)
		}
	}
	ask("fieldSelector", r.Flags["field-selector"], r.Flags["field-selector"] != "") // by the alphabet
	ask("includeObject", "Object", by != "" && (output == "" || output == "wide"))
	ask("labelSelector", r.Flags["selector"], r.Flags["selector"] != "")
	ask("limit", "500", by == "" && name == "")
	k, address, status := kinds.Of(kind), line.Server+"/apis/", "200 OK"
	if k.Group == "" {
		address = line.Server + "/api/"
	}
	address += k.APIVersion()
	if in := r.NamespaceOf(kind); in != "" && !r.On("all-namespaces") {
		address += "/namespaces/" + in
	}
	if address += "/" + k.Plural; name != "" {
		address += "/" + url.PathEscape(name)
	}
	if api.IsReason(err, api.ReasonNotFound) {
		status = "404 Not Found"
	} else if err != nil {
		status = "400 Bad Request"
	}
	query = strings.Replace(query, "&", "?", 1)
	r.log("round_trippers.go:632", `"Response" verb="GET" url="`+address+query+`" status="`+status+`" milliseconds=0`)
	if in := r.NamespaceOf(kind); name != "" && err != nil && in != "" && in != api.NamespaceDefault { // is the namespace there, at least?
		if !strings.HasPrefix(err.Error(), "namespaces ") {
			err = nil
		}
		r.request(line.KindNamespace, in, err)
	}
}

// log prints a line as klog does.
func (r *reading) log(where, text string) {
	r.complain(time.UnixMilli(api.Epoch*1000+r.now).UTC().Format("I0102 15:04:05.000000") + "       1 " + where + "] " + text)
}

// logRefusal prints an answer of the server that is an error (kubectl/pkg/cmd/util/helpers.go:StandardErrorMessage).
func (r *reading) logRefusal(refused *api.StatusError) {
	details, code := "", 400
	if what, missing := strings.CutSuffix(refused.Message, " not found"); missing {
		resource, name, _ := strings.Cut(what, " ")
		kind, group, grouped := strings.Cut(resource, ".")
		if grouped {
			group = "\n    \"group\": \"" + group + "\","
		}
		details, code = "\n  \"details\": {\n    \"name\": "+name+","+group+"\n    \"kind\": \""+kind+"\"\n  },", 404
	}
	r.log("helpers.go:247", fmt.Sprintf("server response object: {\n  \"kind\": \"Status\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {},\n"+
		"  \"status\": \"Failure\",\n  \"message\": %s,\n  \"reason\": %q,%s\n  \"code\": %d\n}", api.JSON(refused.Message), refused.Reason, details, code))
}
