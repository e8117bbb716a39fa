package main
import ("testing";"fmt";"strings";"sort";"github.com/rollplay/rollplay/engine";"github.com/rollplay/rollplay/engine/sim")
func TestZZ(t *testing.T){
 for _,kind:=range kinds[1:]{
  ok,bad,why:=map[string]int{},map[string]int{},map[string]string{}
  ev:=map[string]int{}
  for k:=range 120{
   run,_:=engine.Start(engine.Recording{Scenario:generate(kind,77,k).text()})
   for !run.Advance(1000){}
   kernel,_:=worldOf(run)
   for _,r:=range kernel.Trace.Records{
    if r.Kind==sim.Input{ f:=strings.Fields(r.Command); key:=strings.Join(f[:min(2,len(f))]," "); if f[0]=="kubectl"{key=strings.Join(f[:min(3,len(f))]," "); if f[1]=="apply"{key="kubectl apply"}; if f[1]=="drain"||f[1]=="cordon"||f[1]=="uncordon"{key=f[1]}}
     key=strings.Split(key,"/")[0]
     if r.Failed {bad[key]++; why[key]=r.What} else {ok[key]++} }
    if r.Kind==sim.Notice { ev[r.Actor+" "+r.Reason]++ }
   }
  }
  fmt.Println(kind)
  var ks []string; for k:=range ok{ks=append(ks,k)}; for k:=range bad{ if ok[k]==0{ks=append(ks,k)}}; sort.Strings(ks)
  for _,k:=range ks{ fmt.Printf("  %-40s ok %d bad %d %.160s\n",k,ok[k],bad[k],why[k])}
  fmt.Println(ev)
 }
}
