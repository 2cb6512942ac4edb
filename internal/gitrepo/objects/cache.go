package objects

import "sync"

// Cache keeps values up to a weight: those that were put or used last, and at least half of them. It
// is safe for concurrent use.
type Cache[K comparable, V any] struct {
	most int
	mu   sync.Mutex
	// young has what was put or used last. When it has half of the weight, it becomes old, and what
	// was old is forgotten.
	young, old map[K]cached[V]
	weight     int // of young
}

type cached[V any] struct {
	value  V
	weight int
}

// NewCache returns an empty cache.
func NewCache[K comparable, V any](most int) *Cache[K, V] { return &Cache[K, V]{most: most} }

// Get returns the value of a key, if it is kept.
func (c *Cache[K, V]) Get(k K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.young[k]; ok {
		return found.value, true
	}
	found, ok := c.old[k]
	if ok {
		c.add(k, found)
	}
	return found.value, ok
}

// Put keeps a value of any weight.
func (c *Cache[K, V]) Put(k K, value V, weight int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(k, cached[V]{value, weight})
}

func (c *Cache[K, V]) add(k K, value cached[V]) {
	if c.young == nil || c.weight+value.weight > c.most/2 {
		c.young, c.old, c.weight = map[K]cached[V]{}, c.young, 0
	}
	c.young[k] = value
	c.weight += value.weight
}
