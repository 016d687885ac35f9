// Checks a log with Go's own packages for the checksum database: the note, all entries against authenticated tiles, the
// consistency with an earlier checkpoint, and one inclusion proof that the board made.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	url, vkey, earlier := os.Args[1], os.Args[2], os.Args[3]
	verifier, err := note.NewVerifier(vkey)
	must(err)
	old := open(earlier, verifier)
	tree := open(string(get(url+"/log/checkpoint")), verifier)
	fmt.Printf("note: %d entries\n", tree.N)

	reader := tlog.TileHashReader(tree, tiles{url})
	for bundle := int64(0); bundle*256 < tree.N; bundle++ {
		checkBundle(url, bundle, tree, reader)
	}
	fmt.Printf("entries: %d\n", tree.N)

	proof, err := tlog.ProveTree(tree.N, old.N, reader)
	must(err)
	must(tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash))
	own := hashesIn(strings.Split(string(get(url+"/api/v1/log/consistency?from="+fmt.Sprint(old.N))), "\n")[1:])
	must(tlog.CheckTree(own, tree.N, tree.Hash, old.N, old.Hash))
	fmt.Printf("consistency: %d to %d\n", old.N, tree.N)

	lines := strings.Split(string(get(url+"/api/v1/log/proof?log_index=1000")), "\n")
	entry, err := base64.StdEncoding.Strict().DecodeString(strings.TrimPrefix(lines[1], "extra "))
	must(err)
	must(tlog.CheckRecord(hashesIn(lines[3:]), tree.N, tree.Hash, 999, tlog.RecordHash(entry)))
	fmt.Println("inclusion: 1000")
}

func open(text string, verifier note.Verifier) tlog.Tree {
	checkpoint, err := note.Open([]byte(text), note.VerifierList(verifier))
	must(err)
	lines := strings.Split(checkpoint.Text, "\n")
	if lines[0] != verifier.Name() {
		panic("another origin: " + lines[0])
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	hash, err := tlog.ParseHash(lines[2])
	must(err)
	return tlog.Tree{N: size, Hash: hash}
}

func checkBundle(url string, bundle int64, tree tlog.Tree, reader tlog.HashReader) {
	width := int64(256)
	if tree.N-bundle*256 < width {
		width = tree.N - bundle*256
	}
	path := tlog.Tile{H: 8, L: 0, N: bundle, W: int(width)}.Path()
	bytes := get(url + "/log/tile/entries/" + strings.TrimPrefix(path, "tile/8/0/"))
	indexes := make([]int64, width)
	for at := range indexes {
		indexes[at] = tlog.StoredHashIndex(0, bundle*256+int64(at))
	}
	hashes, err := reader.ReadHashes(indexes)
	must(err)
	for at, hash := range hashes {
		length := binary.BigEndian.Uint16(bytes)
		entry := bytes[2 : 2+length]
		bytes = bytes[2+length:]
		if tlog.RecordHash(entry) != hash {
			panic(fmt.Sprintf("entry %d differs", bundle*256+int64(at)+1))
		}
	}
	if len(bytes) > 0 {
		panic("the bundle has more entries")
	}
}

// The hashes up to an empty line.
func hashesIn(lines []string) []tlog.Hash {
	var hashes []tlog.Hash
	for _, line := range lines {
		if line == "" {
			break
		}
		hash, err := tlog.ParseHash(line)
		must(err)
		hashes = append(hashes, hash)
	}
	return hashes
}

// The tiles of a board. Their paths do not name the height.
type tiles struct{ url string }

func (t tiles) Height() int { return 8 }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		all = append(all, get(t.url+"/log/tile/"+strings.TrimPrefix(tile.Path(), "tile/8/")))
	}
	return all, nil
}

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func get(url string) []byte {
	response, err := http.Get(url)
	must(err)
	defer response.Body.Close()
	if response.StatusCode != 200 {
		panic(url + ": " + response.Status)
	}
	bytes, err := io.ReadAll(response.Body)
	must(err)
	return bytes
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
