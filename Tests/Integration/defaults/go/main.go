// A store that is opened on a file with the zero Options, for defaults.py: writes its condition,
// and again for each line of its standard input.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"

	hawser "git.example/hawser/Packaging/go"
)

func main() {
	store, err := hawser.Open(os.Args[1], hawser.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	for lines := bufio.NewScanner(os.Stdin); ; {
		state, err := store.State()
		if err != nil {
			log.Fatal(err)
		}
		snapshot, err := store.Snapshot()
		if err != nil {
			log.Fatal(err)
		}
		stale, directory, filters := "never", "none", "none"
		if !state.StaleAfter.IsZero() {
			stale = "dated"
		}
		if state.Directory != "" {
			directory = "some"
		}
		if state.CRLiteDirectory != "" {
			filters = "some"
		}
		fmt.Printf("watching=%v stale=%s directory=%s rollback=%v crlite=%s epoch=%d refused=%d\n",
			state.Watching, stale, directory, snapshot.RollbackProtection, filters, snapshot.Epoch,
			state.Refused)
		if !lines.Scan() {
			return
		}
	}
}
